#include "field/region_guide.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "field/bucket_queue.h"
#include "field/extent.h"
#include "field/regions_internal.h"

/* How far ahead (cells of way) of a cell the place lies that it makes for: a few blocks, so that the way
 * there is exact where it matters, and its end hardly turns its beginning. */
#define AHEAD 96

/* Entry prices of goals may differ by this much: what the queue spans, less one stride. */
#define PRICE_SPAN (FR_BUCKET_WIDTH * (FR_BUCKET_COUNT - 1) - FR_BLOCK_SIDE * FR_STEP_DIAGONAL)

/* What is known of a node: the way from `entry`, its cell on the way, over the node `next`. */
typedef struct waypoint {
    uint32_t value, next; /* FR_REGION_NONE: a goal is in here */
    fr_cell entry;
} waypoint;

struct fr_region_guide {
    waypoint *nodes; /* owned [blocks][FR_BLOCK_REGIONS_MAX], raw */
    fr_bucket_queue queue;
    fr_extent extent; /* nodes are not entered where it ends */
    bool has_ended;   /* it did so somewhere */
};

fr_region_guide *fr_region_guide_create(fr_grid grid)
{
    fr_region_guide *guide = fr_alloc(1, sizeof *guide);
    uint32_t blocks = (uint32_t)fr_grid_block_count(grid);
    guide->nodes = fr_alloc_raw((size_t)blocks * FR_BLOCK_REGIONS_MAX, sizeof *guide->nodes);
    /* A node is offered a way at most once for each cell on its border. */
    fr_bucket_queue_init(&guide->queue, blocks * 4 * FR_BLOCK_SIDE + FR_FIELD_GOALS_MAX);
    return guide;
}

void fr_region_guide_destroy(fr_region_guide *guide)
{
    if (guide != NULL) {
        fr_bucket_queue_fini(&guide->queue);
        fr_free(guide->nodes);
        fr_free(guide);
    }
}

static void offer(fr_region_guide *guide, uint32_t node, waypoint way)
{
    if (way.value >= guide->nodes[node].value) {
        return;
    }
    if (!fr_extent_holds(&guide->extent, way.entry, way.value)) {
        guide->has_ended = true;
        return;
    }
    guide->nodes[node] = way;
    fr_bucket_queue_push(&guide->queue, way.value, node);
}

/* Offers a way over the node to all that touch it across one side of its block: for each stretch of border
 * that two areas share, over the cell that is nearest to the entry. */
static void cross_side(fr_region_guide *guide, const fr_regions *regions, uint32_t node, int direction)
{
    const waypoint from = guide->nodes[node];
    const fr_step *step = &FR_STEPS[direction];
    const fr_cell corner = {from.entry.x & ~(FR_BLOCK_SIDE - 1), from.entry.y & ~(FR_BLOCK_SIDE - 1)};
    /* The first cell on this side of the border, and the one behind it. */
    const fr_cell first = {corner.x + (step->dx > 0 ? FR_BLOCK_SIDE - 1 : 0),
                           corner.y + (step->dy > 0 ? FR_BLOCK_SIDE - 1 : 0)};
    const fr_cell across = {first.x + step->dx, first.y + step->dy};
    if (!fr_grid_contains(regions->grid, across)) {
        return;
    }
    const bool is_column = step->dx != 0, is_onward = step->dx + step->dy > 0;
    const int32_t at = is_column ? from.entry.y - corner.y : from.entry.x - corner.x;
    const int32_t block = fr_grid_block(regions->grid, first), other = fr_grid_block(regions->grid, across);
    const uint32_t own = node - regions->first[block] + 1;
    const fr_region_stretch *list = fr_regions_stretches(regions, is_onward ? block : other, !is_column);
    for (int i = 0; i < FR_STRETCHES_MAX && list[i].end > 0; i++) {
        if ((is_onward ? list[i].first : list[i].second) != own) {
            continue;
        }
        int32_t nearest = at < list[i].begin ? list[i].begin : at >= list[i].end ? list[i].end - 1 : at;
        fr_cell gate = {first.x + (is_column ? 0 : nearest), first.y + (is_column ? nearest : 0)};
        uint32_t beyond = is_onward ? list[i].second : list[i].first;
        offer(guide, regions->first[other] + beyond - 1,
              (waypoint){.value = from.value + FR_STEP_STRAIGHT +
                                  fr_octile_price(from.entry.x - gate.x, from.entry.y - gate.y),
                         .next = node,
                         .entry = {gate.x + step->dx, gate.y + step->dy}});
    }
}

static bool are_reached(const fr_region_guide *guide, const fr_regions *regions, const fr_cell *cells,
                        int32_t count, uint32_t end)
{
    for (int32_t i = 0; i < count; i++) {
        uint32_t node = fr_regions_node(regions, cells[i]);
        if (node != FR_REGION_NONE && guide->nodes[node].value >= end) {
            return false;
        }
    }
    return true;
}

/* From the goals outward, in order of value, until the cells are reached (Dial 1969; strides cost at least
 * one straight step, so a bucket is final when it is emptied). */
static void spread(fr_region_guide *guide, const fr_regions *regions, uint32_t bucket, const fr_cell *cells,
                   int32_t cell_count)
{
    for (; guide->queue.filled_count > 0; bucket++) {
        fr_bucket_run run = fr_bucket_queue_take(&guide->queue, bucket);
        for (; run.chunk != 0; run = fr_bucket_queue_next_run(&guide->queue, run)) {
            for (uint32_t i = 0; i < run.count; i++) {
                for (int d = 0;
                     d < FR_DIR_COUNT && fr_bucket_of(guide->nodes[run.entries[i]].value) >= bucket; d += 2) {
                    cross_side(guide, regions, run.entries[i], d);
                }
            }
        }
        if (bucket % 16 == 0 && are_reached(guide, regions, cells, cell_count, bucket << FR_BUCKET_SHIFT)) {
            return;
        }
    }
}

/* Returns the bucket of the cheapest goal. */
static uint32_t start_from_goals(fr_region_guide *guide, const fr_regions *regions, const fr_goal *goals,
                                 int32_t goal_count)
{
    uint32_t least = FR_UNREACHED;
    for (int32_t g = 0; g < goal_count; g++) {
        least = goals[g].price < least ? goals[g].price : least;
    }
    for (int32_t g = 0; g < goal_count; g++) {
        uint32_t node = fr_regions_node(regions, goals[g].cell);
        if (node != FR_REGION_NONE && goals[g].price - least <= PRICE_SPAN) {
            offer(guide, node,
                  (waypoint){.value = goals[g].price, .next = FR_REGION_NONE, .entry = goals[g].cell});
        }
    }
    return fr_bucket_of(least);
}

/* The place that a cell makes for. */
static fr_goal place_ahead(const fr_region_guide *guide, const fr_regions *regions, fr_cell cell)
{
    const waypoint *at = &guide->nodes[fr_regions_node(regions, cell)];
    const uint32_t value = at->value;
    while (at->next != FR_REGION_NONE && value - at->value < AHEAD * FR_STEP_STRAIGHT) {
        at = &guide->nodes[at->next];
    }
    return (fr_goal){at->entry, at->value};
}

/* Looks for ways within the extent. */
static void find_ways(fr_region_guide *guide, const fr_regions *regions, const fr_goal *goals,
                      int32_t goal_count, const fr_cell *cells, int32_t cell_count)
{
    int32_t last = fr_grid_block_count(regions->grid) - 1;
    uint32_t node_count = regions->first[last] + regions->count[last];
    for (uint32_t n = 0; n < node_count; n++) {
        guide->nodes[n].value = FR_UNREACHED;
    }
    guide->has_ended = false;
    fr_bucket_queue_reset(&guide->queue);
    uint32_t bucket = start_from_goals(guide, regions, goals, goal_count);
    spread(guide, regions, bucket, cells, cell_count);
}

int32_t fr_region_guide_find(fr_region_guide *guide, const fr_regions *regions, const fr_goal *goals,
                             int32_t goal_count, const fr_cell *cells, int32_t cell_count, fr_goal *out)
{
    fr_way_guess guess = fr_guess_ways(goals, goal_count, cells, cell_count);
    /* Each search begins anew. */
    fr_guess_farther(&guess);
    fr_guess_farther(&guess);
    guide->extent = fr_extent_all(regions->grid);
    guide->extent.near = fr_blocks_around(regions->grid, cells, cell_count, (fr_rect){0});
    do {
        guide->extent.limit = fr_guessed_limit(&guess);
        find_ways(guide, regions, goals, goal_count, cells, cell_count);
        fr_guess_farther(&guess);
    } while (guide->has_ended && !are_reached(guide, regions, cells, cell_count, FR_UNREACHED));
    int32_t count = 0;
    for (int32_t i = 0; i < cell_count; i++) {
        uint32_t node = fr_regions_node(regions, cells[i]);
        if (node == FR_REGION_NONE || guide->nodes[node].value == FR_UNREACHED) {
            continue;
        }
        fr_goal place = place_ahead(guide, regions, cells[i]);
        bool is_known = false;
        for (int32_t k = 0; k < count; k++) {
            is_known |= out[k].cell.x == place.cell.x && out[k].cell.y == place.cell.y;
        }
        if (!is_known) {
            out[count++] = place;
        }
    }
    return count;
}
