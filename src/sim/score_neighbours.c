/* score_neighbours: see the header. */
#include "sim/score_neighbours.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Nearest units that a query can keep. */
#define NEAREST_MAX 16

/* A pair that overlaps by more than this counts as overlapping. */
#define OVERLAP_NOTED 0.02

void fr_neighbours_fini(fr_neighbours *neighbours)
{
    fr_free(neighbours->sorted);
    fr_free(neighbours->spare);
    fr_free(neighbours->row_first);
    *neighbours = (fr_neighbours){0};
}

/* Row heights follow the largest radius. */
static void fit_rows(fr_neighbours *n, const fr_snapshot *snapshot)
{
    float largest = n->largest_radius;
    for (int32_t i = n->known_units; i < snapshot->unit_count; i++) {
        largest = snapshot->radius[i] > largest ? snapshot->radius[i] : largest;
    }
    if (largest > n->largest_radius) {
        n->largest_radius = largest;
        n->row_height = fr_fixed(2.0 * FR_CLOSE_PAIR * (double)largest) + 1;
        n->row_count = snapshot->grid.height * FR_POSITION_ONE / n->row_height + 1;
        n->row_first = fr_realloc(n->row_first, (size_t)n->row_count + 1, sizeof *n->row_first);
    }
}

static int32_t row_at(const fr_neighbours *n, int32_t y)
{
    int32_t row = y / n->row_height;
    return row < 0 ? 0 : row >= n->row_count ? n->row_count - 1 : row;
}

/* The units of this tick in the order of the last one; new ones at the end. */
static void gather(fr_neighbours *n, const fr_snapshot *snapshot)
{
    if (snapshot->unit_count > n->capacity) {
        n->capacity = snapshot->unit_count;
        n->sorted = fr_realloc(n->sorted, (size_t)n->capacity, sizeof *n->sorted);
        n->spare = fr_realloc(n->spare, (size_t)n->capacity, sizeof *n->spare);
    }
    int32_t count = 0;
    int32_t total = n->count + snapshot->unit_count - n->known_units;
    for (int32_t i = 0; i < total; i++) {
        int32_t unit = i < n->count ? n->sorted[i].unit : n->known_units + i - n->count;
        if (snapshot->state[unit] != FR_UNIT_GONE) {
            fr_position position = snapshot->position[unit];
            n->spare[count++] = (fr_neighbour){position.x, position.y, snapshot->radius[unit], unit,
                                               snapshot->movement_class[unit] == FR_CLASS_AIR};
        }
    }
    n->count = count;
    n->known_units = snapshot->unit_count;
}

/* Shell sort: nearly free on what is nearly sorted, and no worse than n^1.5 or so on what is not. */
static void sort_row(fr_neighbour *row, int32_t count)
{
    static const int32_t gaps[] = {66041, 19001, 4861, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        int32_t gap = gaps[g];
        for (int32_t i = gap; i < count; i++) {
            fr_neighbour item = row[i];
            int32_t at = i;
            for (; at >= gap && row[at - gap].x > item.x; at -= gap) {
                row[at] = row[at - gap];
            }
            row[at] = item;
        }
    }
}

void fr_neighbours_update(fr_neighbours *n, const fr_snapshot *snapshot)
{
    if (snapshot->unit_count == 0) {
        return;
    }
    fit_rows(n, snapshot);
    gather(n, snapshot);
    int32_t *first = n->row_first;
    memset(first, 0, ((size_t)n->row_count + 1) * sizeof *first);
    for (int32_t i = 0; i < n->count; i++) {
        first[row_at(n, n->spare[i].y) + 1]++;
    }
    for (int32_t row = 0; row < n->row_count; row++) {
        first[row + 1] += first[row];
    }
    for (int32_t i = 0; i < n->count; i++) {
        n->sorted[first[row_at(n, n->spare[i].y)]++] = n->spare[i];
    }
    /* Filling moved every start to its row's end. */
    memmove(first + 1, first, (size_t)n->row_count * sizeof *first);
    first[0] = 0;
    for (int32_t row = 0; row < n->row_count; row++) {
        sort_row(n->sorted + first[row], first[row + 1] - first[row]);
    }
}

/* First unit of a row at or right of x. */
static int32_t find_in_row(const fr_neighbours *n, int32_t row, int32_t x)
{
    int32_t low = n->row_first[row], high = n->row_first[row + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (n->sorted[middle].x < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int32_t fr_neighbours_nearest(const fr_neighbours *n, fr_position position, int32_t unit, double reach,
                              int32_t *units, int32_t capacity)
{
    int64_t squared[NEAREST_MAX];
    int32_t found = 0, limit = fr_fixed(reach);
    capacity = capacity < NEAREST_MAX ? capacity : NEAREST_MAX;
    if (n->count == 0) {
        return 0;
    }
    int32_t last_row = row_at(n, position.y + limit);
    for (int32_t row = row_at(n, position.y - limit); row <= last_row; row++) {
        int32_t end = n->row_first[row + 1];
        for (int32_t i = find_in_row(n, row, position.x - limit); i < end; i++) {
            const fr_neighbour *other = &n->sorted[i];
            int64_t dx = (int64_t)other->x - position.x, dy = (int64_t)other->y - position.y;
            int64_t distance = dx * dx + dy * dy;
            if (dx > limit) {
                break;
            }
            if (other->unit == unit || distance > (int64_t)limit * limit) {
                continue;
            }
            int32_t at = found < capacity ? found++ : capacity;
            for (; at > 0; at--) {
                bool is_nearer = distance < squared[at - 1] ||
                                 (distance == squared[at - 1] && other->unit < units[at - 1]);
                if (!is_nearer) {
                    break;
                }
                if (at < capacity) {
                    squared[at] = squared[at - 1];
                    units[at] = units[at - 1];
                }
            }
            if (at < capacity) {
                squared[at] = distance;
                units[at] = other->unit;
            }
        }
    }
    return found;
}

/* --- overlap ------------------------------------------------------------------------------------- */

void fr_overlap_fini(fr_overlap *overlap)
{
    fr_free(overlap->worst);
    *overlap = (fr_overlap){0};
}

static void judge_pair(fr_overlap *overlap, const fr_neighbour *sorted, int32_t a, int32_t b)
{
    double sum = (double)sorted[a].radius + (double)sorted[b].radius;
    double dx = fr_cells(sorted[a].x - sorted[b].x), dy = fr_cells(sorted[a].y - sorted[b].y);
    double squared = dx * dx + dy * dy, close = FR_CLOSE_PAIR * sum;
    if (squared >= close * close || sorted[a].flies != sorted[b].flies) {
        return;
    }
    overlap->last.close_pairs++;
    if (squared < sum * sum) {
        double depth = (sum - sqrt(squared)) / sum;
        overlap->last.overlapping_pairs += depth > OVERLAP_NOTED ? 1 : 0;
        overlap->worst[a] = fmaxf(overlap->worst[a], (float)depth);
        overlap->worst[b] = fmaxf(overlap->worst[b], (float)depth);
        overlap->max = depth > overlap->max ? depth : overlap->max;
    }
}

void fr_overlap_tick(fr_overlap *overlap, const fr_neighbours *n)
{
    if (n->count > overlap->capacity) {
        overlap->capacity = n->count;
        overlap->worst = fr_realloc(overlap->worst, (size_t)n->count, sizeof *overlap->worst);
    }
    overlap->last = (struct fr_overlap_tick_sums){0.0, 0, 0};
    for (int32_t i = 0; i < n->count; i++) {
        overlap->worst[i] = 0.0f;
    }
    for (int32_t row = 0; row < n->row_count && n->count > 0; row++) {
        int32_t end = n->row_first[row + 1];
        int32_t next = end, next_end = row + 1 < n->row_count ? n->row_first[row + 2] : end;
        for (int32_t i = n->row_first[row]; i < end; i++) {
            int32_t x = n->sorted[i].x;
            for (int32_t j = i + 1; j < end && n->sorted[j].x - x < n->row_height; j++) {
                judge_pair(overlap, n->sorted, i, j);
            }
            while (next < next_end && x - n->sorted[next].x >= n->row_height) {
                next++;
            }
            for (int32_t j = next; j < next_end && n->sorted[j].x - x < n->row_height; j++) {
                judge_pair(overlap, n->sorted, i, j);
            }
        }
    }
    for (int32_t i = 0; i < n->count; i++) {
        overlap->last.sum += (double)overlap->worst[i];
    }
    fr_overlap_repeat(overlap, n);
}

void fr_overlap_repeat(fr_overlap *overlap, const fr_neighbours *n)
{
    overlap->sum += overlap->last.sum;
    overlap->close_pairs += overlap->last.close_pairs;
    overlap->overlapping_pairs += overlap->last.overlapping_pairs;
    overlap->unit_ticks += n->count;
}
