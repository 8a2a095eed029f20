/* cost_view: which views of the costs are open, and the causes that are switched on for them. A view is
 * opened when somebody first asks for it, and stays. */
#include "base/assert.h"
#include "grid/cost_internal.h"

bool fr_cost_view_is_open(const fr_cost *cost, fr_cost_view view)
{
    return view >= 0 && view < FR_COST_VIEWS_MAX && (cost->open >> view & 1) != 0;
}

static void open_view(fr_cost *cost, fr_cost_view view)
{
    fr_cost_compose_view(cost, view);
    cost->open |= (uint64_t)1 << view;
    fr_cost_nav_open(cost, view);
    /* It lacks the view. */
    fr_cost_retire_snapshot(cost);
}

static fr_cost_view open_fit(fr_cost *cost, fr_class movement_class, int clearance)
{
    fr_cost_view fit = fr_cost_fit(movement_class, clearance);
    if (!fr_cost_view_is_open(cost, fit)) {
        fr_cost_create_walls(cost, fit);
        open_view(cost, fit);
        fr_cost_find_walls(cost, fit);
    }
    return fit;
}

/* Leaves out what makes no difference, so that travellers who pay alike share a view. */
static fr_cost_view_def essence(const fr_cost *cost, fr_cost_view_def def)
{
    if (!cost->minds_threats) {
        def.caution = FR_CAUTION_RUSH;
    }
    if (!cost->minds_teams || def.caution == FR_CAUTION_RUSH) {
        def.team = FR_TEAM_NONE;
    }
    return def;
}

fr_cost_view fr_cost_view_open(fr_cost *cost, fr_cost_view_def def)
{
    FR_ASSERT((unsigned)def.movement_class < FR_CLASS_COUNT && def.clearance < FR_CLEARANCE_COUNT &&
              def.caution < FR_CAUTION_COUNT);
    fr_cost_view fit = open_fit(cost, def.movement_class, def.clearance);
    def = essence(cost, def);
    if (!cost->ring && def.caution == FR_CAUTION_RUSH) {
        return fit;
    }
    fr_cost_view view = FR_COST_FITS;
    for (; view < FR_COST_FIRST_JAM && fr_cost_view_is_open(cost, view); view++) {
        const fr_cost_view_def *other = &cost->defs[view];
        if (other->movement_class == def.movement_class && other->clearance == def.clearance &&
            other->caution == def.caution && other->team == def.team) {
            return view;
        }
    }
    if (view == FR_COST_FIRST_JAM) {
        cost->views_denied++;
        return fit;
    }
    fr_cost_place_view(cost, view, def);
    return view;
}

void fr_cost_place_view(fr_cost *cost, fr_cost_view view, fr_cost_view_def def)
{
    fr_cost_view fit = open_fit(cost, def.movement_class, def.clearance);
    cost->defs[view] = essence(cost, def);
    cost->walls[view] = cost->walls[fit];
    if (!fr_cost_view_is_open(cost, view)) {
        open_view(cost, view);
        return;
    }
    fr_cost_nav_open(cost, view);
    fr_rect changed = {0, 0, 0, 0};
    for (int32_t b = 0; b < cost->block_count; b++) {
        fr_cost_recompose(cost, view, b, &changed);
    }
    if (changed.width > 0) {
        cost->version++;
        fr_cost_retire_snapshot(cost);
    }
}

uint32_t fr_cost_views_denied(const fr_cost *cost)
{
    return cost->views_denied;
}

void fr_cost_set_ring(fr_cost *cost, bool is_on)
{
    if (cost->ring != is_on) {
        cost->ring = is_on;
        fr_cost_extras_changed(cost, (fr_rect){0, 0, cost->grid.width, cost->grid.height});
    }
}

fr_rect fr_cost_take_changed(fr_cost *cost)
{
    fr_rect changed = cost->changed;
    cost->changed = (fr_rect){0, 0, 0, 0};
    return changed;
}

/* ---- saved ---- */

/* A view beyond the fits as saved. */
typedef struct saved_view {
    uint8_t movement_class, clearance, caution, team;
} saved_view;

void fr_cost_save_views(const fr_cost *cost, fr_buffer *out)
{
    uint8_t flags = (uint8_t)(cost->ring | cost->minds_threats << 1 | cost->minds_teams << 2);
    fr_buffer_append(out, &flags, 1);
    fr_buffer_append(out, &cost->threat_limit, sizeof cost->threat_limit);
    fr_buffer_append(out, cost->threats, (size_t)cost->threat_limit * sizeof *cost->threats);
    fr_buffer_append(out, &cost->open, sizeof cost->open);
    for (fr_cost_view view = FR_COST_FITS; view < FR_COST_VIEWS_MAX; view++) {
        if (!fr_cost_view_is_open(cost, view)) {
            continue;
        }
        const fr_cost_view_def *def = &cost->defs[view];
        saved_view saved = {(uint8_t)def->movement_class, def->clearance, def->caution, def->team};
        fr_buffer_append(out, &saved, sizeof saved);
        if (view >= FR_COST_FIRST_JAM) {
            fr_buffer_append(out, cost->jams[view - FR_COST_FIRST_JAM],
                             (size_t)fr_grid_count(fr_jam_squares(cost->grid)));
        }
    }
}

static bool load_causes(fr_cost *cost, fr_reader *reader)
{
    uint8_t flags;
    if (!fr_reader_take(reader, &flags, 1) || flags > 7 ||
        !fr_reader_take(reader, &cost->threat_limit, sizeof cost->threat_limit) || cost->threat_limit < 0 ||
        cost->threat_limit > FR_THREATS_MAX ||
        !fr_reader_take(reader, cost->threats, (size_t)cost->threat_limit * sizeof *cost->threats)) {
        return false;
    }
    cost->ring = (flags & 1) != 0;
    cost->minds_threats = (flags & 2) != 0;
    cost->minds_teams = (flags & 4) != 0;
    for (int32_t t = 0; t < cost->threat_limit; t++) {
        if (cost->threats[t].cost > 0 && !fr_threat_is_sane(&cost->threats[t])) {
            return false;
        }
    }
    return true;
}

static bool load_view(fr_cost *cost, fr_cost_view view, fr_reader *reader)
{
    saved_view saved;
    if (!fr_reader_take(reader, &saved, sizeof saved) || saved.movement_class >= FR_CLASS_COUNT ||
        saved.clearance >= FR_CLEARANCE_COUNT || saved.caution >= FR_CAUTION_COUNT ||
        (saved.team >= FR_TEAMS_MAX && saved.team != FR_TEAM_NONE)) {
        return false;
    }
    if (view >= FR_COST_FIRST_JAM) {
        size_t squares = (size_t)fr_grid_count(fr_jam_squares(cost->grid));
        if (!fr_reader_take(reader, cost->jams[view - FR_COST_FIRST_JAM], squares)) {
            return false;
        }
    }
    fr_cost_place_view(cost, view,
                       (fr_cost_view_def){.movement_class = (fr_class)saved.movement_class,
                                          .clearance = saved.clearance,
                                          .caution = saved.caution,
                                          .team = saved.team});
    return true;
}

bool fr_cost_load_views(fr_cost *cost, fr_reader *reader)
{
    uint64_t open;
    if (!load_causes(cost, reader) || !fr_reader_take(reader, &open, sizeof open)) {
        return false;
    }
    for (fr_cost_view view = 0; view < FR_COST_FITS; view++) {
        if ((open >> view & 1) != 0) {
            open_fit(cost, (fr_class)(view % FR_CLASS_COUNT), view / FR_CLASS_COUNT);
        }
    }
    for (fr_cost_view view = FR_COST_FITS; view < FR_COST_VIEWS_MAX; view++) {
        if ((open >> view & 1) != 0 && !load_view(cost, view, reader)) {
            return false;
        }
    }
    return cost->open == open;
}
