/* repair: the two waves of a repair. First everything that lost its support is dropped: a cell falls when its
 * last best step no longer leads, over the new costs, to a cell that stands and gives it its value. What
 * stands has a way to a goal at the price it says, so all values are now upper bounds; relaxing from where a
 * cheaper offer lies, in order of value, makes them exact again, as in any build. Last, the best steps next
 * to every change are read off anew. Costs are integers and a relaxation is a minimum: the bits are those of
 * a build. */
#include "field/repair.h"

#include "base/assert.h"
#include "base/memory.h"
#include "field/bucket_queue.h"
#include "field/repair_tiles.h"

/* A cell is pushed when its value improves, and each of its neighbours, expanded once, improves it once. */
#define PUSHES_PER_CELL FR_DIR_COUNT

/* Cells that wait at a time, for each that may change: at first dropped and suspect ones, later those whose
 * target is asked for, which are what changed, what lies around it, and what may see it. A guess, not a
 * bound: where they are more, the repair is given up. */
#define WAITING_PER_CELL 4

/* Cells by which a wave can overshoot the limit before it is looked at. */
#define OVERSHOOT (FR_DIR_COUNT + 1)

struct fr_repair {
    fr_repair_tiles tiles;
    int32_t change_limit;
    int32_t suspect_count;
    fr_place *dropped; /* owned; each is looked at once for neighbours that fall with it, once for offers;
                          then cells that may see a change */
    int32_t dropped_count, dropped_capacity;
    fr_place_list waiting; /* owned; offers to cells that wait until the front reaches their value; then
                              cells whose targets are to be found */
    fr_bucket_queue queue;
    const fr_goal *goals; /* borrowed; ascending by cell (y, then x) */
    int goal_count;
    fr_cell low, high; /* corners of the smallest rectangle with all goals in it */
};

int32_t fr_repair_worthwhile(fr_grid grid)
{
    return fr_grid_block_count(grid) * FR_BLOCK_CELLS / 8;
}

fr_repair *fr_repair_create(fr_grid grid, int32_t change_limit)
{
    FR_ASSERT(change_limit >= 1 && change_limit <= fr_grid_block_count(grid) * FR_BLOCK_CELLS);
    fr_repair *repair = fr_alloc(1, sizeof *repair);
    fr_repair_tiles_init(&repair->tiles, grid);
    repair->change_limit = change_limit;
    uint32_t most = (uint32_t)change_limit + OVERSHOOT;
    repair->dropped = fr_alloc_raw(most, sizeof *repair->dropped);
    repair->dropped_capacity = (int32_t)most;
    fr_place_list_init(&repair->waiting, WAITING_PER_CELL * (int32_t)most);
    fr_bucket_queue_init(&repair->queue, PUSHES_PER_CELL * most + (uint32_t)repair->waiting.capacity);
    return repair;
}

void fr_repair_destroy(fr_repair *repair)
{
    if (repair == NULL) {
        return;
    }
    fr_repair_tiles_fini(&repair->tiles);
    fr_bucket_queue_fini(&repair->queue);
    fr_free(repair->dropped);
    fr_place_list_fini(&repair->waiting);
    fr_free(repair);
}

static bool over_limit(const fr_repair *repair)
{
    return repair->tiles.changed_count > repair->change_limit || repair->suspect_count > repair->change_limit;
}

/* What a cell would cost by its cheapest step, FR_UNREACHED if there is none. */
static uint32_t cheapest_offer(const fr_repair_tiles *tiles, fr_place place)
{
    fr_surroundings around = fr_place_surroundings(tiles, place);
    uint8_t cost = fr_place_cost(tiles, place);
    uint32_t cheapest = FR_UNREACHED;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        uint32_t value = around.values[d];
        if ((around.steps >> d & 1) != 0 && value != FR_UNREACHED) {
            uint32_t offer = value + fr_step_price(d, cost);
            cheapest = offer < cheapest ? offer : cheapest;
        }
    }
    return cheapest;
}

static bool is_before(fr_cell a, fr_cell b)
{
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

/* What a cell costs as a goal, FR_UNREACHED if it is none. */
static uint32_t goal_price(const fr_repair *repair, fr_place place)
{
    fr_cell cell = fr_place_cell(&repair->tiles, place);
    if (cell.x < repair->low.x || cell.x > repair->high.x || cell.y < repair->low.y ||
        cell.y > repair->high.y) {
        return FR_UNREACHED;
    }
    int low = 0, high = repair->goal_count; /* the first goal not before the cell lies in low..high */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (is_before(repair->goals[middle].cell, cell)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < repair->goal_count && !is_before(cell, repair->goals[low].cell);
    return found ? repair->goals[low].price : FR_UNREACHED;
}

/* ---- what has changed ---- */

static void mark_suspect(fr_repair *repair, fr_place place)
{
    uint32_t index = fr_place_index(place);
    if (repair->tiles.tiles[fr_place_tile(place)].number < 0) {
        return; /* beyond the map */
    }
    uint32_t *row = &repair->tiles.rows[fr_place_tile(place)].suspect[index / FR_BLOCK_SIDE];
    uint32_t bit = 1u << index % FR_BLOCK_SIDE;
    repair->suspect_count += (*row & bit) == 0;
    *row |= bit;
}

static void mark_block(fr_repair *repair, int32_t tile, const uint8_t *before, const uint8_t *after)
{
    fr_repair_tiles_open_around(&repair->tiles, tile);
    for (uint32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        if (before[i] == after[i]) {
            continue;
        }
        fr_place place = fr_place_at(tile, i);
        mark_suspect(repair, place);
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            mark_suspect(repair, fr_place_step(&repair->tiles, place, d));
        }
    }
}

/* A cell's own cost is the price of its steps; a wall next to it bars or frees steps, among them diagonals
 * past the wall. So the cells with another cost and those around them are all whose steps have changed. */
static void find_suspects(fr_repair *repair, const fr_cost_snapshot *before, const fr_cost_snapshot *after,
                          fr_cost_view view)
{
    int32_t blocks_x = fr_grid_blocks_x(repair->tiles.grid), blocks_y = fr_grid_blocks_y(repair->tiles.grid);
    repair->suspect_count = 0;
    for (int32_t by = 0; by < blocks_y && !over_limit(repair); by++) {
        for (int32_t bx = 0; bx < blocks_x; bx++) {
            const uint8_t *old = fr_cost_snapshot_block(before, view, by * blocks_x + bx);
            const uint8_t *now = fr_cost_snapshot_block(after, view, by * blocks_x + bx);
            if (old != now) {
                mark_block(repair, fr_repair_tile_of_block(&repair->tiles, bx, by), old, now);
            }
        }
    }
}

/* Calls `visit` for every suspect cell of the map. */
static void for_suspects(fr_repair *repair, void (*visit)(fr_repair *repair, fr_place place))
{
    /* Suspects lie in the tiles that are open now; what is opened on the way holds none. */
    int32_t count = repair->tiles.opened_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t tile = repair->tiles.opened[i];
        for (uint32_t y = 0; y < FR_BLOCK_SIDE && !over_limit(repair); y++) {
            uint32_t row = repair->tiles.rows[tile].suspect[y];
            if (row != 0) {
                fr_repair_tiles_open_around(&repair->tiles, tile);
            }
            for (; row != 0; row &= row - 1) {
                uint32_t x = (uint32_t)__builtin_ctz(row);
                visit(repair, fr_place_at(tile, y << FR_BLOCK_SHIFT | x));
            }
        }
    }
}

/* ---- first wave: what lost its support ---- */

static void drop(fr_repair *repair, fr_place place)
{
    fr_place_set_value(&repair->tiles, place, FR_UNREACHED);
    fr_place_set_best(&repair->tiles, place, 0);
    repair->dropped[repair->dropped_count++] = place;
}

/* Takes from a suspect cell the steps that no longer give its value. */
static void check_support(fr_repair *repair, fr_place place)
{
    fr_repair_tiles *tiles = &repair->tiles;
    uint32_t value = fr_place_value(tiles, place);
    if (value == FR_UNREACHED || over_limit(repair)) {
        return;
    }
    if (fr_place_cost(tiles, place) == FR_COST_WALL) {
        drop(repair, place);
        return;
    }
    uint8_t before = fr_place_best(tiles, place);
    uint8_t left = before & fr_place_steps_of_value(tiles, place);
    if (left == 0 && goal_price(repair, place) != value) {
        drop(repair, place);
    } else if (left != before) {
        fr_place_set_best(tiles, place, left);
    }
}

/* Drops what stood on dropped cells alone. False: too much. */
static bool drop_dependents(fr_repair *repair)
{
    fr_repair_tiles *tiles = &repair->tiles;
    for (int32_t i = 0; i < repair->dropped_count && !over_limit(repair); i++) {
        fr_place neighbours[FR_DIR_COUNT];
        fr_place_neighbours(tiles, repair->dropped[i], neighbours);
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            fr_place next = neighbours[d];
            uint8_t best = fr_place_best(tiles, next), back = (uint8_t)(1u << (d ^ 4));
            if ((best & back) == 0) {
                continue;
            }
            fr_place_set_best(tiles, next, best & (uint8_t)~back);
            if (best == back && goal_price(repair, next) != fr_place_value(tiles, next)) {
                drop(repair, next);
            }
        }
    }
    return !over_limit(repair);
}

/* ---- second wave: what can be cheaper than it is ---- */

static bool is_held(const fr_repair *repair, fr_place place, uint32_t value)
{
    const fr_repair_tiles *tiles = &repair->tiles;
    if (fr_field_is_complete(tiles->field)) {
        return value < FR_LIMIT_NONE;
    }
    return fr_extent_holds(&tiles->field->extent, fr_place_cell(tiles, place), value);
}

static void seed_cell(fr_repair *repair, fr_place place)
{
    if (fr_place_cost(&repair->tiles, place) == FR_COST_WALL) {
        return;
    }
    uint32_t value = cheapest_offer(&repair->tiles, place), price = goal_price(repair, place);
    value = price < value ? price : value;
    if (value < fr_place_value(&repair->tiles, place) && is_held(repair, place, value)) {
        bool added = fr_place_list_add(&repair->waiting, place, value);
        FR_ASSERT(added);
    }
}

static void seed_all(fr_repair *repair)
{
    fr_place_list_clear(&repair->waiting);
    for (int32_t i = 0; i < repair->dropped_count; i++) {
        seed_cell(repair, repair->dropped[i]);
    }
    for_suspects(repair, seed_cell);
    fr_place_list_sort(&repair->waiting);
}

static inline void offer(fr_repair *repair, fr_place place, uint32_t value)
{
    if (value < fr_place_value(&repair->tiles, place) && is_held(repair, place, value)) {
        fr_place_set_value(&repair->tiles, place, value);
        fr_bucket_queue_push(&repair->queue, value, place);
    }
}

static void expand(fr_repair *repair, fr_place place, uint32_t bucket)
{
    uint32_t value = fr_place_value(&repair->tiles, place);
    if (fr_bucket_of(value) < bucket) {
        return; /* left for a lower bucket meanwhile */
    }
    fr_surroundings around = fr_place_surroundings(&repair->tiles, place);
    uint32_t by_this[FR_DIR_COUNT];
    uint8_t cheaper = 0;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        by_this[d] = value + fr_step_price(d, around.costs[d]);
        cheaper |= (uint8_t)((by_this[d] < around.values[d]) << d);
    }
    for (uint8_t left = cheaper & around.steps; left != 0; left &= (uint8_t)(left - 1)) {
        int d = fr_first_step(left);
        offer(repair, around.places[d], by_this[d]);
    }
}

/* Relaxes in order of value, as fr_integrate does. A seed joins when the front reaches its value. False: too
 * much. */
static bool relax(fr_repair *repair)
{
    fr_bucket_queue *queue = &repair->queue;
    fr_bucket_queue_reset(queue);
    uint32_t bucket = 0;
    fr_place_list *seeds = &repair->waiting;
    while (queue->filled_count > 0 || !fr_place_list_is_empty(seeds)) {
        if (queue->filled_count == 0) {
            bucket = fr_bucket_of(fr_place_list_first(seeds));
        }
        while (!fr_place_list_is_empty(seeds) && fr_bucket_of(fr_place_list_first(seeds)) == bucket) {
            fr_waiting_place next = seeds->items[seeds->taken++];
            offer(repair, next.place, next.value);
        }
        fr_bucket_run run = fr_bucket_queue_take(queue, bucket);
        while (run.chunk != 0) {
            for (uint32_t i = 0; i < run.count; i++) {
                if (over_limit(repair)) {
                    return false;
                }
                expand(repair, run.entries[i], bucket);
            }
            run = fr_bucket_queue_next_run(queue, run);
        }
        bucket++;
    }
    return true;
}

/* ---- the whole ---- */

static void take_goals(fr_repair *repair, const fr_goal *goals, int goal_count)
{
    repair->goals = goals;
    repair->goal_count = goal_count;
    repair->low = (fr_cell){INT32_MAX, INT32_MAX};
    repair->high = (fr_cell){-1, -1};
    for (int g = 0; g < goal_count; g++) {
        fr_cell cell = goals[g].cell;
        FR_ASSERT(fr_grid_contains(repair->tiles.grid, cell));
        FR_ASSERT(g == 0 || is_before(goals[g - 1].cell, cell));
        repair->low.x = cell.x < repair->low.x ? cell.x : repair->low.x;
        repair->low.y = cell.y < repair->low.y ? cell.y : repair->low.y;
        repair->high.x = cell.x > repair->high.x ? cell.x : repair->high.x;
        repair->high.y = cell.y > repair->high.y ? cell.y : repair->high.y;
    }
}

bool fr_field_repair(fr_field *field, fr_repair *repair, const fr_cost_snapshot *before,
                     const fr_cost_snapshot *after, fr_cost_view view, const fr_goal *goals, int goal_count)
{
    fr_repair_tiles *tiles = &repair->tiles;
    FR_ASSERT(tiles->grid.width == field->grid.width && tiles->grid.height == field->grid.height);
    fr_repair_tiles_begin(tiles, field, before, after, view);
    take_goals(repair, goals, goal_count);
    repair->dropped_count = 0;
    find_suspects(repair, before, after, view);
    for_suspects(repair, check_support);
    if (!drop_dependents(repair)) {
        return false;
    }
    seed_all(repair);
    if (!relax(repair)) {
        return false;
    }
    fr_repair_refresh(tiles);
    return fr_repair_targets(tiles, &repair->queue, &repair->waiting, repair->dropped,
                             repair->dropped_capacity);
}
