#include "view/units.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "view/palette.h"

/* Pixels beyond the window's edges at which a unit's shadow or ring may still be seen, in radii. */
#define SEEN_RADII 2.0f

struct fr_unit_mark {
    float x, y;   /* centre, screen pixels */
    float radius; /* pixels */
    int32_t unit;
    int32_t key;  /* order of drawing */
    uint8_t size; /* of the atlas */
};

void fr_unit_painter_fini(fr_unit_painter *painter)
{
    fr_free(painter->marks);
    fr_free(painter->sorted);
    fr_free(painter->starts);
    *painter = (fr_unit_painter){0};
}

static bool is_selected(const fr_frame *frame, int32_t unit)
{
    return frame->state->selected != NULL && frame->state->selected[unit] != 0;
}

static float between(int32_t from, int32_t to, float alpha)
{
    /* The difference first: it is small, so the float keeps it exactly. */
    return (float)(to - from) * alpha;
}

/* Collects the units in view; returns their count. */
static int32_t collect(fr_unit_painter *painter, const fr_frame *frame)
{
    const fr_snapshot *snapshot = frame->snapshot;
    if (snapshot->unit_count > painter->capacity) {
        painter->capacity = snapshot->unit_count;
        painter->marks = fr_realloc(painter->marks, (size_t)painter->capacity, sizeof *painter->marks);
        painter->sorted = fr_realloc(painter->sorted, (size_t)painter->capacity, sizeof *painter->sorted);
    }
    const double scale = frame->zoom / FR_POSITION_ONE;
    const float alpha = fminf(fmaxf(frame->state->alpha, 0.0f), 1.0f);
    const float zoom = (float)frame->zoom, width = (float)frame->width_px, height = (float)frame->height_px;
    int32_t count = 0;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] == FR_UNIT_GONE) {
            continue;
        }
        fr_position from = snapshot->previous[i], to = snapshot->position[i];
        float x = (float)((from.x + (double)between(from.x, to.x, alpha)) * scale + frame->origin_x);
        float y = (float)((from.y + (double)between(from.y, to.y, alpha)) * scale + frame->origin_y);
        float radius = snapshot->radius[i] * zoom, reach = radius * SEEN_RADII + 2.0f;
        if (x < -reach || y < -reach || x > width + reach || y > height + reach) {
            continue;
        }
        painter->marks[count++] = (fr_unit_mark){.x = x, .y = y, .radius = radius, .unit = i};
    }
    return count;
}

/* Stable counting sort of the marks by key, 0 <= key < keys, into painter->sorted. */
static void sort_marks(fr_unit_painter *painter, int32_t count, int32_t keys)
{
    if (keys + 1 > painter->start_capacity) {
        painter->start_capacity = keys + 1;
        painter->starts =
            fr_realloc(painter->starts, (size_t)painter->start_capacity, sizeof *painter->starts);
    }
    memset(painter->starts, 0, (size_t)(keys + 1) * sizeof *painter->starts);
    for (int32_t i = 0; i < count; i++) {
        painter->starts[painter->marks[i].key + 1]++;
    }
    for (int32_t k = 0; k < keys; k++) {
        painter->starts[k + 1] += painter->starts[k];
    }
    for (int32_t i = 0; i < count; i++) {
        painter->sorted[painter->starts[painter->marks[i].key]++] = painter->marks[i];
    }
}

static void draw_dots(fr_unit_painter *painter, int32_t count, const fr_frame *frame, fr_draw_list *list)
{
    const fr_snapshot *snapshot = frame->snapshot;
    for (int32_t i = 0; i < count; i++) {
        int32_t unit = painter->marks[i].unit;
        painter->marks[i].key = snapshot->team[unit] % FR_TEAMS_MAX * 2 + (is_selected(frame, unit) ? 1 : 0);
    }
    sort_marks(painter, count, FR_TEAMS_MAX * 2);
    for (int32_t i = 0; i < count; i++) {
        const fr_unit_mark *mark = &painter->sorted[i];
        fr_team_color team = fr_palette_team(mark->key / 2);
        float size = fmaxf(roundf(mark->radius * 2.0f), 1.0f);
        fr_draw_rect(
            list, mark->key % 2 != 0 ? team.light : team.body,
            (fr_box){floorf(mark->x - size * 0.5f + 0.5f), floorf(mark->y - size * 0.5f + 0.5f), size, size});
    }
}

/* Sets sizes and keys: one size after the other, within a size from top to bottom, so that shadows fall on
 * the ground and never on a body drawn before. Returns the number of keys. */
static int32_t order_marks(fr_unit_painter *painter, int32_t count, fr_atlas *atlas, const fr_frame *frame)
{
    const fr_snapshot *snapshot = frame->snapshot;
    int8_t place[FR_SPRITE_SIZES];
    memset(place, -1, sizeof place);
    bool prepared[FR_SPRITE_SIZES][FR_TEAMS_MAX][2] = {{{false}}};
    int sizes = 0;
    float last_radius = -1.0f;
    int last_size = 0;
    const int32_t rows = frame->height_px;
    for (int32_t i = 0; i < count; i++) {
        fr_unit_mark *mark = &painter->marks[i];
        if (mark->radius != last_radius) {
            last_radius = mark->radius;
            last_size = fr_atlas_size(mark->radius);
        }
        mark->size = (uint8_t)last_size;
        if (place[last_size] < 0) {
            place[last_size] = (int8_t)sizes++;
        }
        int team = snapshot->team[mark->unit] % FR_TEAMS_MAX;
        bool selected = is_selected(frame, mark->unit);
        if (!prepared[last_size][team][selected]) {
            prepared[last_size][team][selected] = true;
            fr_atlas_prepare(atlas, last_size, team, selected);
        }
        int32_t row = (int32_t)fminf(fmaxf(mark->y, 0.0f), (float)(rows - 1));
        mark->key = place[last_size] * rows + row;
    }
    return sizes * rows;
}

/* The sprites of one size, as they are first needed. */
typedef struct sprite_table {
    int size;
    bool known[FR_TEAMS_MAX][2][FR_FACINGS];
    fr_sprite sprites[FR_TEAMS_MAX][2][FR_FACINGS];
} sprite_table;

static const fr_sprite *sprite_for(sprite_table *table, fr_atlas *atlas, int size, int team, bool selected,
                                   int facing)
{
    if (table->size != size) {
        memset(table->known, 0, sizeof table->known);
        table->size = size;
    }
    fr_sprite *sprite = &table->sprites[team][selected][facing];
    if (!table->known[team][selected][facing]) {
        table->known[team][selected][facing] = true;
        *sprite = fr_atlas_sprite(atlas, size, team, selected, facing);
    }
    return sprite;
}

static void draw_sprites(fr_unit_painter *painter, int32_t count, fr_atlas *atlas, const fr_frame *frame,
                         fr_draw_list *list)
{
    const fr_snapshot *snapshot = frame->snapshot;
    sprite_table table = {.size = -1};
    sort_marks(painter, count, order_marks(painter, count, atlas, frame));
    for (int32_t i = 0; i < count; i++) {
        const fr_unit_mark *mark = &painter->sorted[i];
        const fr_sprite *sprite =
            sprite_for(&table, atlas, mark->size, snapshot->team[mark->unit] % FR_TEAMS_MAX,
                       is_selected(frame, mark->unit), fr_facing_of(snapshot->facing[mark->unit]));
        float x = floorf(mark->x + 0.5f), y = floorf(mark->y + 0.5f);
        if (mark->size < FR_SPRITE_SIZES - 1) {
            fr_draw_copy(list, sprite->picture, x + sprite->dx, y + sprite->dy, sprite->source);
            continue;
        }
        float stretch = fmaxf(mark->radius / fr_atlas_radius(mark->size), 1.0f);
        fr_draw_quad(list, sprite->picture,
                     (fr_box){x + sprite->dx * stretch, y + sprite->dy * stretch,
                              (float)sprite->source.width * stretch, (float)sprite->source.height * stretch},
                     sprite->source);
    }
}

int32_t fr_units_draw(fr_unit_painter *painter, fr_atlas *atlas, const fr_frame *frame, fr_draw_list *list)
{
    int32_t count = collect(painter, frame);
    if (count == 0) {
        return 0;
    }
    /* All of a crowd are dots or none is: the largest decides. */
    float largest = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        largest = fmaxf(largest, painter->marks[i].radius);
    }
    if (largest * 2.0f < FR_UNIT_DOT_PX) {
        draw_dots(painter, count, frame, list);
    } else {
        draw_sprites(painter, count, atlas, frame, list);
    }
    return count;
}
