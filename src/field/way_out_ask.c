/* way_out_ask: questions about ways out: where they lead, what is left from there, and the way back in. */
#include "base/assert.h"
#include "field/way_out_internal.h"
#include "grid/nav.h"

static uint32_t length_at(const fr_way_out *way_out, int32_t ways, fr_cell tile)
{
    if (way_out == NULL || !fr_grid_contains(way_out->grid, tile)) {
        return 0;
    }
    FR_ASSERT(way_out->length[ways] != NULL);
    return way_out->length[ways][fr_grid_index(way_out->grid, tile)];
}

bool fr_way_out_next(const fr_way_out *way_out, int32_t ways, fr_cell tile, fr_cell *next)
{
    uint32_t length = length_at(way_out, ways, tile);
    if (length == 0 || length == FR_WAY_FAR) {
        return false;
    }
    int direction = FR_DIR_NONE;
    if (ways >= FR_COST_FITS) {
        direction = way_out->step[fr_way_fit(ways)][fr_grid_index(way_out->grid, tile)];
    } else {
        fr_way_shortest(way_out, ways, tile, &direction);
    }
    *next = fr_way_step(tile, direction);
    return true;
}

bool fr_way_out_end(const fr_way_out *way_out, int32_t ways, fr_cell tile, fr_cell *end)
{
    uint32_t length = length_at(way_out, ways, tile);
    *end = tile;
    if (length > 0 && length < FR_WAY_FAR && ways >= FR_COST_FITS) {
        int32_t at = way_out->end[fr_way_fit(ways)][fr_grid_index(way_out->grid, tile)];
        *end = fr_grid_cell(way_out->grid, at);
    }
    while (ways < FR_COST_FITS && fr_way_out_next(way_out, ways, *end, end)) {
    }
    return length != FR_WAY_FAR;
}

fr_cell fr_way_out_cell(const fr_way_out *way_out, int32_t shift, int32_t ways, fr_position position)
{
    fr_cell end;
    if (fr_way_out_next(way_out, ways, fr_cell_at(position), &end) &&
        fr_way_out_end(way_out, ways, end, &end)) {
        return fr_nav_cell_of(shift, end);
    }
    return fr_nav_cell_at(shift, position);
}

static uint32_t value_beyond(const fr_field *field, fr_cell end, uint32_t length)
{
    uint32_t value = fr_field_value(field, end);
    return value <= FR_INTEGRATION_MAX - FR_WAY_VALUE(length) ? value + FR_WAY_VALUE(length) : value;
}

uint32_t fr_way_out_value(const fr_way_out *way_out, int32_t ways, const fr_field *field, fr_cell tile)
{
    uint32_t length = length_at(way_out, ways, tile);
    fr_cell end;
    if (length == 0 || length == FR_WAY_FAR || !fr_way_out_end(way_out, ways, tile, &end)) {
        return fr_field_value(field, tile);
    }
    return value_beyond(field, end, length);
}

uint32_t fr_way_out_length(const fr_way_out *way_out, int32_t ways, fr_cell tile)
{
    uint32_t length = length_at(way_out, ways, tile);
    return length == FR_WAY_FAR ? 0 : FR_WAY_VALUE(length);
}

/* Does the way out of a tile lead over another one? */
static bool leads_over(const fr_way_out *way_out, int32_t ways, fr_cell tile, fr_cell other)
{
    fr_cell next, end;
    uint32_t length = length_at(way_out, ways, other);
    if (length == 0) {
        return fr_way_out_end(way_out, ways, tile, &end) && end.x == other.x && end.y == other.y;
    }
    while (length_at(way_out, ways, tile) > length && fr_way_out_next(way_out, ways, tile, &next)) {
        tile = next;
    }
    return tile.x == other.x && tile.y == other.y;
}

uint32_t fr_way_out_left(const fr_way_out *way_out, int32_t ways, const fr_field *field, fr_cell goal,
                         fr_cell tile)
{
    uint32_t value = fr_way_out_value(way_out, ways, field, tile);
    uint32_t inner = fr_way_out_length(way_out, ways, goal);
    if (inner == 0) {
        return value;
    }
    if (leads_over(way_out, ways, goal, tile)) {
        return inner - fr_way_out_length(way_out, ways, tile);
    }
    return value <= FR_INTEGRATION_MAX - inner ? value + inner : value;
}

fr_field_sample fr_way_out_sample(const fr_way_out *way_out, int32_t ways, const fr_field *field,
                                  fr_position position)
{
    fr_cell tile = fr_cell_at(position), next, end;
    if (!fr_way_out_next(way_out, ways, tile, &next) || !fr_way_out_end(way_out, ways, next, &end)) {
        return fr_field_sample_at(field, position);
    }
    fr_field_sample beyond = fr_field_sample_at(field, fr_cell_centre(end));
    fr_vec2 way = fr_vec2_normalize(fr_position_delta(position, fr_cell_centre(next)));
    /* The last step slants the way that the field goes on: into a stream, not across it. */
    bool is_last = next.x == end.x && next.y == end.y;
    fr_vec2 slanted = is_last ? fr_vec2_normalize(fr_vec2_add(way, beyond.direction)) : way;
    bool is_zero = slanted.x == 0.0f && slanted.y == 0.0f;
    return (fr_field_sample){.direction = is_zero ? way : slanted,
                             .potential = value_beyond(field, end, length_at(way_out, ways, tile)),
                             .centre = position,
                             .kind = FR_SAMPLE_ROUGH};
}

bool fr_way_out_back(const fr_way_out *way_out, int32_t ways, fr_cell tile, fr_position position,
                     fr_field_sample *sample)
{
    fr_cell here = fr_cell_at(position), before = tile, at = tile, next, end;
    uint32_t length = length_at(way_out, ways, here);
    if (length == 0 && fr_way_out_end(way_out, ways, tile, &end) && (end.x != here.x || end.y != here.y)) {
        fr_cell own = fr_nav_cell_at(way_out->shift, position), last = fr_nav_cell_of(way_out->shift, end);
        if (own.x != last.x || own.y != last.y || length_at(way_out, ways, tile) == 0) {
            return false;
        }
        before = end; /* in the field cell where the way ends */
    } else {
        while (length_at(way_out, ways, at) > length && fr_way_out_next(way_out, ways, at, &next)) {
            before = at;
            at = next;
        }
        if (at.x != here.x || at.y != here.y) {
            return false;
        }
    }
    if (before.x == here.x && before.y == here.y) {
        return false; /* it is the tile itself */
    }
    *sample = (fr_field_sample){
        .direction = fr_vec2_normalize(fr_position_delta(position, fr_cell_centre(before))),
        .potential = FR_WAY_VALUE(length_at(way_out, ways, tile) - length_at(way_out, ways, here)),
        .centre = position,
        .kind = FR_SAMPLE_ROUGH};
    return true;
}

double fr_way_out_trace(const fr_way_out *way_out, int32_t ways, const fr_field *field, fr_position start,
                        double limit, bool *met_wall)
{
    double out = 0.0;
    fr_cell next;
    while (fr_way_out_next(way_out, ways, fr_cell_at(start), &next)) {
        out += (double)fr_vec2_length(fr_position_delta(start, fr_cell_centre(next)));
        start = fr_cell_centre(next);
    }
    double length = fr_field_trace(field, start, limit - out, met_wall, NULL, 0, NULL);
    return length < 0.0 ? length : out + length;
}
