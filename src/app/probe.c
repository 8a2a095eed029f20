#include "app/probe.h"

#include "base/assert.h"
#include "base/hash.h"

void fr_probe_fini(fr_probe *probe)
{
    if (probe->pool != NULL) {
        fr_field_destroy(probe->pool, probe->field);
        fr_scratch_destroy(probe->scratch);
        fr_field_pool_destroy(probe->pool);
    }
    *probe = (fr_probe){0};
}

/* The cell of the field that leads to a place. Its tile may be one that has to be left first. */
static fr_cell field_cell(const fr_snapshot *snapshot, fr_cost_view view, fr_position place)
{
    bool is_known = view < FR_CLASS_COUNT && snapshot->regions[view] != NULL;
    return fr_way_out_cell(is_known ? snapshot->way_out : NULL, fr_cost_shift(fr_cost_nav(snapshot->cost)),
                           view, fr_grid_clamp_position(snapshot->grid, place));
}

static bool covers(const fr_field *field, fr_cell cell)
{
    return fr_field_is_complete(field) || fr_field_value(field, cell) != FR_UNREACHED;
}

bool fr_probe_covers(const fr_snapshot *snapshot, const fr_field *field, fr_cost_view view, fr_position place)
{
    return covers(field, field_cell(snapshot, view, place));
}

static uint32_t region_at(const fr_snapshot *snapshot, const fr_regions *regions, fr_position place)
{
    return fr_regions_at(regions, fr_cell_at(fr_grid_clamp_position(snapshot->grid, place)));
}

/* Of the places those near enough that the field does not cover yet, and from which there is a way to a goal
 * as far as is known. Returns their number. */
static int find_uncovered(const fr_probe *probe, const fr_snapshot *snapshot, const fr_probe_look *look,
                          fr_cell *cells)
{
    const fr_cost *nav = fr_cost_nav(snapshot->cost);
    const fr_regions *regions = look->view < FR_CLASS_COUNT ? snapshot->regions[look->view] : NULL;
    int count = 0;
    for (int i = 0; i < look->from_count; i++) {
        fr_cell cell = field_cell(snapshot, look->view, look->from[i]);
        bool leads = false;
        for (int g = 0; g < look->goal_count && !leads; g++) {
            fr_vec2 way = fr_position_delta(look->from[i], look->goals[g]);
            leads = fr_vec2_dot(way, way) < FR_PROBE_REACH * FR_PROBE_REACH &&
                    (regions == NULL || region_at(snapshot, regions, look->goals[g]) ==
                                            region_at(snapshot, regions, look->from[i]));
        }
        if (leads && fr_cost_walkable(nav, look->view, cell) &&
            (probe->field == NULL || !covers(probe->field, cell))) {
            cells[count++] = cell;
        }
    }
    return count;
}

/* A field of the whole map, or the first or next part of one. */
static void build(fr_probe *probe, const fr_snapshot *snapshot, const fr_probe_look *look, bool is_new)
{
    const fr_cost *nav = fr_cost_nav(snapshot->cost);
    fr_goal goals[FR_GOALS_MAX];
    fr_cell cells[FR_PROBE_FROM_MAX];
    for (int i = 0; i < look->goal_count; i++) {
        goals[i] = (fr_goal){.cell = field_cell(snapshot, look->view, look->goals[i])};
    }
    bool in_parts = fr_grid_count(fr_cost_grid(nav)) > FR_PROBE_CELLS_MAX;
    int count =
        in_parts && (is_new || probe->field != NULL) ? find_uncovered(probe, snapshot, look, cells) : 0;
    if (in_parts && is_new && count == 0) {
        cells[count++] = goals[0].cell;
    }
    if (count > 0) {
        fr_field *part = fr_field_widen(probe->pool, probe->scratch, nav, look->view, goals, look->goal_count,
                                        probe->field, cells, count);
        probe->field = part != NULL ? part : probe->field;
        probe->builds++;
    } else if (is_new) {
        probe->field = fr_field_build(probe->pool, probe->scratch, nav, look->view, goals, look->goal_count);
        probe->builds++;
    }
}

const fr_field *fr_probe_field(fr_probe *probe, const fr_snapshot *snapshot, const fr_probe_look *look)
{
    FR_ASSERT(look->goal_count >= 1 && look->goal_count <= FR_GOALS_MAX);
    FR_ASSERT(look->from_count >= 0 && look->from_count <= FR_PROBE_FROM_MAX);
    const fr_cost *nav = fr_cost_nav(snapshot->cost);
    uint32_t cost_version = fr_cost_view_version(nav, look->view);
    uint64_t goals_hash = FR_HASH_SEED;
    for (int i = 0; i < look->goal_count; i++) {
        fr_cell cell = fr_cell_at(fr_grid_clamp_position(snapshot->grid, look->goals[i]));
        goals_hash = fr_hash_u32(fr_hash_u32(goals_hash, (uint32_t)cell.x), (uint32_t)cell.y);
    }
    bool is_new = !probe->built || probe->cost_version != cost_version || probe->view != look->view ||
                  probe->goals_hash != goals_hash;
    if (probe->pool == NULL) {
        probe->pool = fr_field_pool_create_for(nav, FR_FIELD_BYTES);
        probe->scratch = fr_scratch_create(fr_cost_grid(nav));
    }
    if (is_new) {
        fr_field_destroy(probe->pool, probe->field);
        probe->field = NULL;
    }
    build(probe, snapshot, look, is_new);
    probe->built = true;
    probe->cost_version = cost_version;
    probe->view = look->view;
    probe->goals_hash = goals_hash;
    return probe->field;
}
