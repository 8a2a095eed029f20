/* repair_targets: which cells walk to another target after a change, and where to. A target can change where
 * the cell's own steps do, where the target of a best step's cell does, or where costs have changed on the
 * line to such a target, however far away: a new wall in the open bends lines that end far behind it, while
 * no value there changes.
 *
 * The last are found without a look at the rest of the map. What is seen lies over even ground, on ways of
 * least cost: of the cells that a swept line covers each is one of those, or beside one (of a line with a
 * slope of up to 45 degrees, all cells of a row but the first and the last can be passed by steps of the
 * line's two directions, whose corners the sweep covers as well). So a cell that sees, or saw, over a changed
 * cell has, or had, a way of best steps in two neighbouring directions over even ground to one beside it:
 * from those cells on the best steps are followed backwards, the old ones and the new ones, for each such
 * pair of directions by itself. In a maze that ends at the next corner.
 *
 * Cells are answered in order of value, so that each is once: those it depends on are lower. */
#include "base/assert.h"
#include "field/aim_rule.h"
#include "field/repair_tiles.h"

typedef struct finder {
    fr_repair_tiles *tiles;
    fr_bucket_queue *queue; /* of cells that turned out to depend on another target */
    fr_place_list *waiting; /* of all others that are asked for theirs */
    int32_t asked_count;    /* in both, so far */
    bool answers;           /* the list is complete: what comes now goes into the queue */
    fr_place *sighted;      /* [sighted_capacity] cells that may see a changed one, or did */
    int32_t sighted_count, sighted_capacity;
    bool overflown;
} finder;

/* ---- the tiles as the rule sees them ---- */

static fr_target target_of(void *layout, uint32_t place)
{
    const fr_repair_tiles *tiles = layout;
    return tiles->tiles[fr_place_tile(place)].block->target[fr_place_index(place)];
}

static uint8_t cost_of(void *layout, uint32_t place)
{
    return fr_place_cost(layout, place);
}

static uint32_t next_to(void *layout, uint32_t place, int direction)
{
    return fr_place_step(layout, place, direction);
}

static bool step_is_even(void *layout, uint32_t place, int direction)
{
    const fr_repair_tiles *tiles = layout;
    uint8_t cost = fr_place_cost(tiles, place);
    bool even = fr_place_cost(tiles, fr_place_step(tiles, place, direction)) == cost;
    for (int side = -1; side <= 1 && FR_STEPS[direction].price == FR_STEP_DIAGONAL; side += 2) {
        fr_place beside = fr_place_step(tiles, place, (direction + side) % FR_DIR_COUNT);
        even &= fr_place_cost(tiles, beside) == cost;
    }
    return even;
}

static void look_at(void *layout, fr_cell from, fr_cell to)
{
    (void)layout, (void)from, (void)to; /* the snapshot has them all */
}

static uint8_t cost_at(void *layout, int32_t x, int32_t y)
{
    const fr_repair_tiles *tiles = layout;
    fr_cell cell = {x, y};
    return fr_cost_snapshot_block(tiles->costs, tiles->view,
                                  fr_grid_block(tiles->grid, cell))[fr_block_index(cell)];
}

/* ---- which cells ---- */

/* True if it is another than before. */
static bool set_target(fr_repair_tiles *tiles, fr_place place, fr_target target)
{
    if (target == target_of(tiles, place)) {
        return false;
    }
    fr_repair_own_block(tiles, fr_place_tile(place))->target[fr_place_index(place)] = target;
    return true;
}

static void enqueue(finder *find, fr_place place)
{
    fr_repair_tiles *tiles = find->tiles;
    uint32_t index = fr_place_index(place), bit = 1u << index % FR_BLOCK_SIDE;
    uint32_t *row = &tiles->rows[fr_place_tile(place)].queued[index / FR_BLOCK_SIDE];
    if ((*row & bit) != 0) {
        return;
    }
    *row |= bit;
    uint32_t value = fr_place_value(tiles, place);
    if (++find->asked_count > find->waiting->capacity) {
        find->overflown = true;
    } else if (value == FR_UNREACHED) {
        set_target(tiles, place, FR_TARGET_NONE);
    } else if (find->answers) {
        fr_bucket_queue_push(find->queue, value, place);
    } else {
        fr_place_list_add(find->waiting, place, value);
    }
}

/* The cells with a best step to this one. */
static void enqueue_those_above(finder *find, fr_place place)
{
    fr_repair_tiles_open_around(find->tiles, fr_place_tile(place));
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        fr_place above = fr_place_step(find->tiles, place, d);
        if ((fr_place_best(find->tiles, above) >> (d ^ 4) & 1) != 0) {
            enqueue(find, above);
        }
    }
}

static void enqueue_led_anew(finder *find)
{
    fr_repair_tiles *tiles = find->tiles;
    for (int32_t i = 0; i < tiles->opened_count; i++) {
        int32_t tile = tiles->opened[i];
        for (uint32_t y = 0; y < FR_BLOCK_SIDE; y++) {
            for (uint32_t row = tiles->rows[tile].led_anew[y]; row != 0; row &= row - 1) {
                enqueue(find, fr_place_at(tile, y << FR_BLOCK_SHIFT | (uint32_t)__builtin_ctz(row)));
            }
        }
    }
}

static void sight(finder *find, fr_place place)
{
    uint32_t index = fr_place_index(place), bit = 1u << index % FR_BLOCK_SIDE;
    uint32_t *row = &find->tiles->rows[fr_place_tile(place)].sighted[index / FR_BLOCK_SIDE];
    if ((*row & bit) != 0) {
        return;
    }
    *row |= bit;
    if (find->sighted_count == find->sighted_capacity) {
        find->overflown = true;
    } else {
        find->sighted[find->sighted_count++] = place;
        enqueue(find, place);
    }
}

/* Suspects lie in the first `tiles` of those that are open. */
static void sight_suspects(finder *find, int32_t tile_count)
{
    const fr_repair_tiles *tiles = find->tiles;
    for (int32_t i = 0; i < tile_count; i++) {
        int32_t tile = tiles->opened[i];
        for (uint32_t y = 0; y < FR_BLOCK_SIDE; y++) {
            for (uint32_t row = tiles->rows[tile].suspect[y]; row != 0; row &= row - 1) {
                sight(find, fr_place_at(tile, y << FR_BLOCK_SHIFT | (uint32_t)__builtin_ctz(row)));
            }
        }
    }
}

/* Follows best steps in this direction over even ground backwards from a cell. Whether the cells beside a
 * diagonal are even too is not asked: it would leave out a few. */
static void sight_behind(finder *find, fr_place place, int direction)
{
    fr_repair_tiles *tiles = find->tiles;
    fr_place next = fr_place_step(tiles, place, direction ^ 4);
    uint8_t step = (uint8_t)(1u << direction);
    bool leads =
        (fr_place_best(tiles, next) & step) != 0 && fr_place_cost(tiles, next) == fr_place_cost(tiles, place);
    bool led = (fr_place_old_best(tiles, next) & step) != 0 &&
               fr_place_old_cost(tiles, next) == fr_place_old_cost(tiles, place);
    if (leads || led) {
        sight(find, next);
    }
}

/* The cells that see over changed ones along lines between two neighbouring directions. */
static void sight_along(finder *find, int direction, int32_t suspect_tiles)
{
    find->sighted_count = 0;
    sight_suspects(find, suspect_tiles);
    for (int32_t i = 0; i < find->sighted_count && !find->overflown; i++) {
        fr_place place = find->sighted[i];
        fr_repair_tiles_open_around(find->tiles, fr_place_tile(place));
        sight_behind(find, place, direction);
        sight_behind(find, place, (direction + 1) % FR_DIR_COUNT);
    }
    for (int32_t i = 0; i < find->sighted_count; i++) {
        uint32_t index = fr_place_index(find->sighted[i]);
        fr_tile_rows *rows = &find->tiles->rows[fr_place_tile(find->sighted[i])];
        rows->sighted[index / FR_BLOCK_SIDE] &= ~(1u << index % FR_BLOCK_SIDE);
    }
}

/* ---- where to ---- */

static fr_target find_target(finder *find, fr_place place)
{
    fr_repair_tiles *tiles = find->tiles;
    const fr_aim_ground ground = {.layout = tiles,
                                  .target_of = target_of,
                                  .cost_of = cost_of,
                                  .next_to = next_to,
                                  .step_is_even = step_is_even,
                                  .look_at = look_at,
                                  .cost_at = cost_at};
    fr_cell cell = fr_place_cell(tiles, place);
    uint8_t best = fr_place_best(tiles, place);
    return best == 0 ? fr_target_at(cell) : fr_aim_choose(&ground, place, cell, best);
}

static void answer(finder *find, fr_place place)
{
    fr_repair_tiles_open_around(find->tiles, fr_place_tile(place));
    if (set_target(find->tiles, place, find_target(find, place))) {
        enqueue_those_above(find, place);
    }
}

/* Cells of one bucket don't depend on each other, and those above a cell lie in later buckets. */
static void answer_all(finder *find)
{
    fr_place_list *waiting = find->waiting;
    fr_bucket_queue *queue = find->queue;
    uint32_t bucket = 0;
    while (!find->overflown && (queue->filled_count > 0 || !fr_place_list_is_empty(waiting))) {
        if (queue->filled_count == 0) {
            bucket = fr_bucket_of(fr_place_list_first(waiting));
        }
        while (!fr_place_list_is_empty(waiting) && fr_bucket_of(fr_place_list_first(waiting)) == bucket) {
            answer(find, waiting->items[waiting->taken++].place);
        }
        fr_bucket_run run = fr_bucket_queue_take(queue, bucket);
        while (run.chunk != 0) {
            for (uint32_t i = 0; i < run.count; i++) {
                answer(find, run.entries[i]);
            }
            run = fr_bucket_queue_next_run(queue, run);
        }
        bucket++;
    }
}

bool fr_repair_targets(fr_repair_tiles *tiles, fr_bucket_queue *queue, fr_place_list *waiting,
                       fr_place *sighted, int32_t sighted_capacity)
{
    finder find = {.tiles = tiles,
                   .queue = queue,
                   .waiting = waiting,
                   .sighted = sighted,
                   .sighted_capacity = sighted_capacity};
    fr_place_list_clear(waiting);
    fr_bucket_queue_reset(queue);
    enqueue_led_anew(&find);
    int32_t suspect_tiles = tiles->opened_count;
    for (int d = 0; d < FR_DIR_COUNT && !find.overflown; d++) {
        sight_along(&find, d, suspect_tiles);
    }
    if (!find.overflown) {
        fr_place_list_sort(waiting);
        find.answers = true;
        answer_all(&find);
    }
    return !find.overflown;
}
