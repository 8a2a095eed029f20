/* scorecard: takes a run tick by tick and hands it to the parts that judge goals, motion, overlap and
 * standing still. */
#include "sim/score.h"

#include <string.h>

#include "base/memory.h"

static void grow(fr_scorecard *card, const fr_snapshot *snapshot)
{
    size_t count = (size_t)snapshot->unit_count;
    if (snapshot->unit_count <= card->unit_count) {
        return;
    }
    card->before = fr_realloc(card->before, count, sizeof *card->before);
    card->gone_tick = fr_realloc(card->gone_tick, count, sizeof *card->gone_tick);
    for (int32_t i = card->unit_count; i < snapshot->unit_count; i++) {
        /* Where it came from in the tick in which it came is nowhere to be seen. */
        card->before[i] = snapshot->position[i];
        card->gone_tick[i] = FR_NOT_GONE;
        fr_walls *walls = &card->walls[snapshot->movement_class[i]];
        if (walls->region == NULL) {
            fr_walls_init(walls, card->grid);
            card->cost_version = 0; /* so that this class is read too */
        }
    }
    card->unit_count = snapshot->unit_count;
}

/* Walls are read again only when a cost has changed. */
static void update_walls(fr_scorecard *card, const fr_snapshot *snapshot)
{
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        card->walls[c].has_changed = false;
    }
    uint32_t version = fr_cost_version(snapshot->cost);
    if (version == card->cost_version) {
        return;
    }
    card->cost_version = version;
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        if (card->walls[c].region != NULL) {
            fr_cost_copy(snapshot->cost, (fr_class)c, (fr_rect){0, 0, card->grid.width, card->grid.height},
                         card->costs);
            fr_walls_update(&card->walls[c], card->costs);
        }
    }
}

fr_scorecard *fr_scorecard_create(const fr_snapshot *first, const fr_scenario *scenario)
{
    fr_scorecard *card = fr_alloc(1, sizeof *card);
    card->scenario = scenario;
    card->grid = first->grid;
    card->costs = fr_alloc_raw((size_t)fr_grid_count(card->grid), 1);
    if (scenario != NULL) {
        card->is_halted = fr_alloc((size_t)scenario->group_count + 1, sizeof *card->is_halted);
    }
    fr_goal_book_init(&card->goals, card->grid);
    fr_motion_init(&card->motion);
    grow(card, first);
    if (first->unit_count > 0) {
        memcpy(card->before, first->position, (size_t)first->unit_count * sizeof *card->before);
    }
    update_walls(card, first);
    fr_stuck_init(&card->stuck, first);
    fr_courses_init(&card->courses, card->grid);
    fr_doors_init(&card->doors, scenario);
    fr_lanes_init(&card->lanes, scenario);
    return card;
}

void fr_scorecard_destroy(fr_scorecard *card)
{
    if (card == NULL) {
        return;
    }
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        fr_walls_fini(&card->walls[c]);
    }
    fr_goal_book_fini(&card->goals);
    fr_motion_fini(&card->motion);
    fr_neighbours_fini(&card->neighbours);
    fr_overlap_fini(&card->overlap);
    fr_stuck_fini(&card->stuck);
    fr_courses_fini(&card->courses);
    fr_doors_fini(&card->doors);
    fr_lanes_fini(&card->lanes);
    fr_free(card->before);
    fr_free(card->gone_tick);
    fr_free(card->is_halted);
    fr_free(card->costs);
    fr_free(card);
}

/* Groups that the scenario has told to stand are not stuck; groups of a world and of its scenario have the
 * same numbers. */
static void follow_orders(fr_scorecard *card, uint32_t tick)
{
    const fr_scenario *scenario = card->scenario;
    if (scenario == NULL) {
        return;
    }
    for (int32_t i = fr_scenario_first_order(scenario, tick);
         i < scenario->order_count && scenario->orders[i].tick == tick; i++) {
        const fr_scenario_order *order = &scenario->orders[i];
        if (order->group >= 0) {
            card->is_halted[order->group] = order->kind == FR_COMMAND_STOP || order->kind == FR_COMMAND_HOLD;
        }
    }
}

/* Has nobody moved, come or gone since the last tick? */
static bool is_at_rest(const fr_scorecard *card, const fr_snapshot *snapshot)
{
    size_t count = (size_t)snapshot->unit_count;
    return count > 0 && !card->has_changed_units && card->has_ticks &&
           memcmp(card->before, snapshot->position, count * sizeof *card->before) == 0;
}

void fr_scorecard_tick(fr_scorecard *card, const fr_snapshot *snapshot)
{
    card->has_changed_units = snapshot->unit_count > card->unit_count;
    grow(card, snapshot);
    update_walls(card, snapshot);
    follow_orders(card, snapshot->tick - 1);
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] == FR_UNIT_GONE && card->gone_tick[i] == FR_NOT_GONE) {
            card->gone_tick[i] = snapshot->tick;
            card->has_changed_units = true;
        }
    }
    fr_goal_book_tick(&card->goals, snapshot, card->before, card->walls);
    fr_courses_tick(&card->courses, &card->goals, snapshot, card->before);
    fr_doors_tick(&card->doors, &card->goals, snapshot, card->before);
    fr_lanes_tick(&card->lanes, snapshot);
    fr_motion_tick(&card->motion, &card->goals, snapshot, card->before, card->walls);
    if (is_at_rest(card, snapshot)) {
        fr_overlap_repeat(&card->overlap, &card->neighbours);
    } else {
        fr_neighbours_update(&card->neighbours, snapshot);
        fr_overlap_tick(&card->overlap, &card->neighbours);
    }
    card->has_ticks = true;
    fr_stuck_tick(&card->stuck, &card->goals, &card->neighbours, snapshot, card->walls, card->is_halted);
    if (snapshot->unit_count > 0) {
        memcpy(card->before, snapshot->position, (size_t)snapshot->unit_count * sizeof *card->before);
    }
}

bool fr_score_arrival(const fr_scorecard *card, int32_t i, uint32_t *tick)
{
    if (i >= card->goals.unit_count) {
        return false;
    }
    const fr_unit_goal *goal = &card->goals.units[i];
    if (fr_goal_book_has_goal(&card->goals, i) && goal->is_inside) {
        *tick = goal->entered_tick;
        return true;
    }
    *tick = card->gone_tick[i];
    return card->gone_tick[i] != FR_NOT_GONE;
}
