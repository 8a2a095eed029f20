/* repair_targets: which cells walk to another target after a change, and where to. A target can change where
 * the cell's own steps do, where the target of a best step's cell does, or where costs have changed on the
 * line to such a target, however far away: a new wall in the open bends lines that end far behind it, while
 * no value there changes. Cells are answered in order of value, so that each is once: those it depends on are
 * lower. */
#include "base/assert.h"
#include "field/aim_rule.h"
#include "field/repair_tiles.h"

/* Changed costs are kept as at most this many rectangles; in a change of more blocks one covers several. More
 * would cost more to compare with than they save. */
#define RECTS_MAX 8

/* Cells by which a swept line reaches over the line between two centres, a step beside its start included. */
#define LINE_MARGIN 2

typedef struct finder {
    fr_repair_tiles *tiles;
    fr_place_heap *waiting;
    fr_rect rects[RECTS_MAX];
    int rect_count;
} finder;

/* ---- the tiles as the rule sees them ---- */

static fr_cell cell_of(const fr_repair_tiles *tiles, fr_place place)
{
    int32_t tile = fr_place_tile(place), index = (int32_t)fr_place_index(place);
    int32_t bx = tile % tiles->stride - 1, by = tile / tiles->stride - 1;
    return (fr_cell){bx * FR_BLOCK_SIDE + index % FR_BLOCK_SIDE, by * FR_BLOCK_SIDE + index / FR_BLOCK_SIDE};
}

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

static bool row_is_even(void *layout, int32_t x, int32_t y, int32_t count, uint8_t cost)
{
    const fr_repair_tiles *tiles = layout;
    const uint8_t *row = NULL;
    for (int32_t end = x + count; x < end; x++) {
        int32_t column = x % FR_BLOCK_SIDE;
        if (row == NULL || column == 0) {
            int32_t block = fr_grid_block(tiles->grid, (fr_cell){x, y});
            row =
                fr_cost_snapshot_block(tiles->costs, tiles->view, block) + y % FR_BLOCK_SIDE * FR_BLOCK_SIDE;
        }
        if (row[column] != cost) {
            return false;
        }
    }
    return true;
}

/* ---- which cells ---- */

static void enqueue(finder *find, fr_place place)
{
    fr_repair_tiles *tiles = find->tiles;
    uint32_t index = fr_place_index(place), bit = 1u << index % FR_BLOCK_SIDE;
    uint32_t *row = &tiles->rows[fr_place_tile(place)].queued[index / FR_BLOCK_SIDE];
    if ((*row & bit) == 0) {
        *row |= bit;
        fr_place_heap_push(find->waiting, place, fr_place_value(tiles, place));
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

static void enqueue_changed(finder *find)
{
    fr_repair_tiles *tiles = find->tiles;
    int32_t count = tiles->opened_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t tile = tiles->opened[i];
        for (uint32_t y = 0; y < FR_BLOCK_SIDE; y++) {
            uint32_t row = tiles->rows[tile].suspect[y] | tiles->rows[tile].led_anew[y];
            for (; row != 0; row &= row - 1) {
                enqueue(find, fr_place_at(tile, y << FR_BLOCK_SHIFT | (uint32_t)__builtin_ctz(row)));
            }
        }
    }
}

static fr_rect unite(fr_rect a, fr_rect b)
{
    int32_t x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
    int32_t right = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    int32_t bottom = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (fr_rect){x, y, right - x, bottom - y};
}

/* The smallest rectangle around the costs that differ in a block. */
static fr_rect rect_of_changes(const uint8_t *old, const uint8_t *now, int32_t x, int32_t y)
{
    fr_rect rect = {0, 0, 0, 0};
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        if (old[i] != now[i]) {
            fr_rect one = {x + i % FR_BLOCK_SIDE, y + i / FR_BLOCK_SIDE, 1, 1};
            rect = rect.width == 0 ? one : unite(rect, one);
        }
    }
    return rect;
}

static void collect_rects(finder *find, const fr_cost_snapshot *before)
{
    const fr_repair_tiles *tiles = find->tiles;
    int32_t count = fr_grid_block_count(tiles->grid), blocks_x = fr_grid_blocks_x(tiles->grid);
    for (int32_t block = 0; block < count; block++) {
        const uint8_t *old = fr_cost_snapshot_block(before, tiles->view, block);
        const uint8_t *now = fr_cost_snapshot_block(tiles->costs, tiles->view, block);
        if (old == now) {
            continue;
        }
        fr_rect rect =
            rect_of_changes(old, now, block % blocks_x * FR_BLOCK_SIDE, block / blocks_x * FR_BLOCK_SIDE);
        if (rect.width == 0) {
            continue;
        }
        if (find->rect_count < RECTS_MAX) {
            find->rects[find->rect_count++] = rect;
        } else {
            find->rects[RECTS_MAX - 1] = unite(find->rects[RECTS_MAX - 1], rect);
        }
    }
}

/* Whether a line between two cells comes near a rectangle: their boxes must meet, and the rectangle's centre
 * must lie no further from the line than its corners and the margin reach. */
static bool passes_by(fr_cell from, fr_cell to, fr_rect rect)
{
    int32_t left = rect.x - LINE_MARGIN, right = rect.x + rect.width - 1 + LINE_MARGIN;
    int32_t top = rect.y - LINE_MARGIN, bottom = rect.y + rect.height - 1 + LINE_MARGIN;
    if ((from.x < left && to.x < left) || (from.x > right && to.x > right) || (from.y < top && to.y < top) ||
        (from.y > bottom && to.y > bottom)) {
        return false;
    }
    int64_t dx = to.x - from.x, dy = to.y - from.y;
    int64_t twice = dx * (top + bottom - 2 * from.y) - dy * (left + right - 2 * from.x);
    return llabs(twice) <= llabs(dx) * (bottom - top) + llabs(dy) * (right - left);
}

/* A line that another cell sees along is no further from a rectangle than a step beside its own start. */
static void enqueue_along_lines(finder *find, int32_t block)
{
    fr_repair_tiles *tiles = find->tiles;
    int32_t bx = block % tiles->field->blocks_x, by = block / tiles->field->blocks_x;
    int32_t tile = fr_repair_tile_of_block(tiles, bx, by);
    const fr_target *targets = tiles->field->blocks[tiles->field->table[block]].target;
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        if (targets[i] == FR_TARGET_NONE) {
            continue;
        }
        fr_cell cell = {bx * FR_BLOCK_SIDE + i % FR_BLOCK_SIDE, by * FR_BLOCK_SIDE + i / FR_BLOCK_SIDE};
        bool near = false;
        for (int r = 0; r < find->rect_count; r++) {
            near |= passes_by(cell, fr_target_cell(targets[i]), find->rects[r]);
        }
        if (near) {
            enqueue_those_above(find, fr_place_at(tile, (uint32_t)i));
        }
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
                                  .row_is_even = row_is_even};
    if (fr_place_value(tiles, place) == FR_UNREACHED) {
        return FR_TARGET_NONE;
    }
    fr_cell cell = cell_of(tiles, place);
    uint8_t best = fr_place_best(tiles, place);
    return best == 0 ? fr_target_at(cell) : fr_aim_choose(&ground, place, cell, best);
}

void fr_repair_targets(fr_repair_tiles *tiles, fr_place_heap *waiting, const fr_cost_snapshot *before)
{
    finder find = {.tiles = tiles, .waiting = waiting};
    waiting->count = 0;
    collect_rects(&find, before);
    enqueue_changed(&find);
    int32_t count = fr_grid_block_count(tiles->grid);
    for (int32_t block = 0; block < count; block++) {
        if (tiles->field->table[block] != FR_BLOCK_ABSENT) {
            enqueue_along_lines(&find, block);
        }
    }
    while (waiting->count > 0) {
        fr_place place = fr_place_heap_pop(waiting).place;
        int32_t tile = fr_place_tile(place);
        fr_repair_tiles_open_around(tiles, tile);
        fr_target target = find_target(&find, place);
        if (target != target_of(tiles, place)) {
            fr_repair_own_block(tiles, tile)->target[fr_place_index(place)] = target;
            enqueue_those_above(&find, place);
        }
    }
}
