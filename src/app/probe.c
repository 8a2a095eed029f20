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

static void build(fr_probe *probe, const fr_snapshot *snapshot, fr_cost_view view, const fr_position *places,
                  int goal_count)
{
    const fr_cost *nav = fr_cost_nav(snapshot->cost);
    if (probe->pool == NULL) {
        probe->pool = fr_field_pool_create_for(nav, FR_FIELD_BYTES);
        probe->scratch = fr_scratch_create(fr_cost_grid(nav));
    }
    fr_field_destroy(probe->pool, probe->field);
    fr_goal goals[FR_GOALS_MAX];
    for (int i = 0; i < goal_count; i++) {
        goals[i] = (fr_goal){.cell = field_cell(snapshot, view, places[i])};
    }
    probe->field = fr_field_build(probe->pool, probe->scratch, nav, view, goals, goal_count);
    probe->builds++;
}

const fr_field *fr_probe_field(fr_probe *probe, const fr_snapshot *snapshot, fr_cost_view view,
                               const fr_position *goals, int goal_count)
{
    FR_ASSERT(goal_count >= 1 && goal_count <= FR_GOALS_MAX);
    uint32_t cost_version = fr_cost_version(snapshot->cost);
    uint64_t goals_hash = FR_HASH_SEED;
    for (int i = 0; i < goal_count; i++) {
        fr_cell cell = fr_cell_at(fr_grid_clamp_position(snapshot->grid, goals[i]));
        goals_hash = fr_hash_u32(fr_hash_u32(goals_hash, (uint32_t)cell.x), (uint32_t)cell.y);
    }
    if (!probe->built || probe->cost_version != cost_version || probe->view != view ||
        probe->goals_hash != goals_hash) {
        build(probe, snapshot, view, goals, goal_count);
        probe->built = true;
        probe->cost_version = cost_version;
        probe->view = view;
        probe->goals_hash = goals_hash;
    }
    return probe->field;
}
