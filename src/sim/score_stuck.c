/* score_stuck: see the header. Standing still means that one disc of half the unit's radius holds all its
 * places of the last ten seconds. A unit that fails is not looked at again before the place that made it fail
 * is ten seconds old, so that a moving unit costs nothing and a standing one a single comparison. */
#include "sim/score_stuck.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/rng.h"

/* Who may be an excuse: this many of the nearest units, within so many cells. */
#define EXCUSES_MAX  8
#define EXCUSE_REACH 3.0
#define PROGRESS_MIN (FR_DISTANCE_CELL / 2)

/* Above this many units only every tenth tick is kept, to bound the memory of the history (80 MB). */
#define DENSE_UNITS_MAX 32768
#define SPARSE_INTERVAL 10u

_Static_assert(FR_STUCK_TICKS % SPARSE_INTERVAL == 0, "the oldest place of the window must have been kept");

static fr_position *slot_at(const fr_stuck *stuck, uint32_t tick)
{
    return stuck->history +
           (size_t)(tick / stuck->interval % stuck->slot_count) * (size_t)stuck->unit_capacity;
}

static void record(fr_stuck *stuck, const fr_snapshot *snapshot)
{
    stuck->newest_tick = snapshot->tick;
    if (snapshot->tick % stuck->interval == 0 && snapshot->unit_count > 0) {
        memcpy(slot_at(stuck, snapshot->tick), snapshot->position,
               (size_t)snapshot->unit_count * sizeof *snapshot->position);
    }
}

static void grow(fr_stuck *stuck, const fr_snapshot *snapshot)
{
    int32_t count = snapshot->unit_count;
    if (count <= stuck->unit_count) {
        return;
    }
    fr_position *history = fr_alloc(stuck->slot_count * (size_t)count, sizeof *history);
    for (uint32_t slot = 0; slot < stuck->slot_count && stuck->unit_count > 0; slot++) {
        memcpy(history + (size_t)slot * (size_t)count,
               stuck->history + (size_t)slot * (size_t)stuck->unit_capacity,
               (size_t)stuck->unit_count * sizeof *history);
    }
    fr_free(stuck->history);
    stuck->history = history;
    stuck->unit_capacity = count;
    stuck->units = fr_realloc(stuck->units, (size_t)count, sizeof *stuck->units);
    stuck->still_index = fr_realloc(stuck->still_index, (size_t)count, sizeof *stuck->still_index);
    for (int32_t i = stuck->unit_count; i < count; i++) {
        stuck->units[i] = (fr_unit_still){.next_check = snapshot->tick + FR_STUCK_TICKS};
        stuck->still_index[i] = -1;
    }
    stuck->unit_count = count;
}

void fr_stuck_init(fr_stuck *stuck, const fr_snapshot *first)
{
    *stuck = (fr_stuck){.interval = first->unit_count > DENSE_UNITS_MAX ? SPARSE_INTERVAL : 1};
    stuck->slot_count = FR_STUCK_TICKS / stuck->interval + 1;
    grow(stuck, first);
    record(stuck, first);
}

void fr_stuck_fini(fr_stuck *stuck)
{
    fr_free(stuck->units);
    fr_free(stuck->history);
    fr_free(stuck->still);
    fr_free(stuck->still_index);
    *stuck = (fr_stuck){0};
}

/* --- standing still ------------------------------------------------------------------------------ */

typedef struct place {
    double x, y;
    uint32_t tick;
} place;

/* The smallest disc that holds some places, and the earliest of the places that define it. */
typedef struct disc {
    double x, y, squared_radius;
    uint32_t tick;
} disc;

static bool disc_holds(const disc *d, const place *p)
{
    double dx = p->x - d->x, dy = p->y - d->y;
    return dx * dx + dy * dy <= d->squared_radius * (1.0 + 1e-9) + 1e-12;
}

static disc disc_of_two(const place *a, const place *b)
{
    double dx = a->x - b->x, dy = a->y - b->y;
    return (disc){(a->x + b->x) / 2.0, (a->y + b->y) / 2.0, (dx * dx + dy * dy) / 4.0,
                  a->tick < b->tick ? a->tick : b->tick};
}

/* Three places on one line have no circle through them: then the outer two make the disc. */
static disc disc_on_line(const place *a, const place *b, const place *c)
{
    disc best = disc_of_two(a, b), other = disc_of_two(b, c), last = disc_of_two(a, c);
    best = other.squared_radius > best.squared_radius ? other : best;
    return last.squared_radius > best.squared_radius ? last : best;
}

static disc disc_of_three(const place *a, const place *b, const place *c)
{
    double bx = b->x - a->x, by = b->y - a->y, cx = c->x - a->x, cy = c->y - a->y;
    double cross = 2.0 * (bx * cy - by * cx), b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    if (cross == 0.0) {
        return disc_on_line(a, b, c);
    }
    double x = (cy * b2 - by * c2) / cross, y = (bx * c2 - cx * b2) / cross;
    disc d = disc_of_two(a, b);
    return (disc){a->x + x, a->y + y, x * x + y * y, c->tick < d.tick ? c->tick : d.tick};
}

/* Smallest enclosing disc, point by point (Welzl, "Smallest enclosing disks", 1991); expected linear on
 * places in random order. */
static disc enclose(const place *p, int32_t count)
{
    disc d = {p[0].x, p[0].y, 0.0, p[0].tick};
    for (int32_t i = 1; i < count; i++) {
        if (disc_holds(&d, &p[i])) {
            continue;
        }
        d = (disc){p[i].x, p[i].y, 0.0, p[i].tick};
        for (int32_t j = 0; j < i; j++) {
            if (disc_holds(&d, &p[j])) {
                continue;
            }
            d = disc_of_two(&p[i], &p[j]);
            for (int32_t k = 0; k < j; k++) {
                if (!disc_holds(&d, &p[k])) {
                    d = disc_of_three(&p[i], &p[j], &p[k]);
                }
            }
        }
    }
    return d;
}

static void shuffle(place *places, int32_t count)
{
    fr_rng rng = {1};
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t other = (int32_t)fr_rng_below(&rng, (uint32_t)i + 1);
        place swap = places[i];
        places[i] = places[other];
        places[other] = swap;
    }
}

/* Looks at all places of the window that ends now. */
static void check_window(fr_stuck *stuck, int32_t i, double radius)
{
    fr_unit_still *unit = &stuck->units[i];
    place places[FR_STUCK_TICKS + 1];
    double x0 = 0.0, x1 = 0.0, y0 = 0.0, y1 = 0.0;
    uint32_t now = stuck->newest_tick;
    int32_t count = 0;
    unit->is_still = false;
    for (uint32_t back = 0; back <= FR_STUCK_TICKS; back += stuck->interval) {
        fr_position position = slot_at(stuck, now - back)[i];
        double x = fr_cells(position.x), y = fr_cells(position.y);
        x0 = count == 0 || x < x0 ? x : x0;
        x1 = count == 0 || x > x1 ? x : x1;
        y0 = count == 0 || y < y0 ? y : y0;
        y1 = count == 0 || y > y1 ? y : y1;
        if (x1 - x0 > radius || y1 - y0 > radius) {
            unit->next_check = now - back + stuck->interval + FR_STUCK_TICKS;
            return;
        }
        places[count++] = (place){x, y, now - back};
    }
    double half = radius / 2.0, dx = (x1 - x0) / 2.0, dy = (y1 - y0) / 2.0;
    disc d = {(x0 + x1) / 2.0, (y0 + y1) / 2.0, dx * dx + dy * dy, now};
    if (d.squared_radius > half * half) {
        shuffle(places, count);
        d = enclose(places, count);
    }
    if (d.squared_radius > half * half * (1.0 + 1e-9)) {
        unit->next_check = d.tick + stuck->interval + FR_STUCK_TICKS;
        return;
    }
    unit->is_still = true;
    unit->x = d.x;
    unit->y = d.y;
}

static bool stands_still(fr_stuck *stuck, const fr_snapshot *snapshot, int32_t i)
{
    fr_unit_still *unit = &stuck->units[i];
    double radius = (double)snapshot->radius[i];
    if (unit->is_still) {
        double dx = fr_cells(snapshot->position[i].x) - unit->x;
        double dy = fr_cells(snapshot->position[i].y) - unit->y;
        if (dx * dx + dy * dy <= radius * radius / 4.0) {
            return true;
        }
    }
    if (stuck->newest_tick < unit->next_check) {
        unit->is_still = false;
        return false;
    }
    check_window(stuck, i, radius);
    return unit->is_still;
}

/* --- excuses ------------------------------------------------------------------------------------- */

static uint32_t distance_now(fr_goal_book *book, const fr_snapshot *snapshot, const fr_walls *walls,
                             int32_t i)
{
    return fr_goal_book_distance(book, walls, book->units[i].target, fr_cell_at(snapshot->position[i]));
}

static bool has_come_closer(fr_stuck *stuck, fr_goal_book *book, const fr_snapshot *snapshot,
                            const fr_walls *walls, int32_t i)
{
    uint32_t since = stuck->newest_tick - FR_STUCK_TICKS;
    uint32_t order_tick = book->units[i].order_tick;
    if (order_tick > since) {
        since = order_tick + (stuck->interval - order_tick % stuck->interval) % stuck->interval;
    }
    if (since >= stuck->newest_tick) {
        return false;
    }
    /* Distances are those of cells. Where thousands with goals of their own are stuck, this spares thousands
     * of searches. */
    fr_cell from = fr_cell_at(slot_at(stuck, since)[i]), to = fr_cell_at(snapshot->position[i]);
    if (from.x == to.x && from.y == to.y) {
        return false;
    }
    uint32_t then = fr_goal_book_distance(book, walls, book->units[i].target, from);
    uint32_t now = fr_goal_book_distance(book, walls, book->units[i].target, to);
    return then != FR_DISTANCE_NONE && now != FR_DISTANCE_NONE && then >= now + PROGRESS_MIN;
}

/* Does neighbour `other` by itself excuse the unit? */
static bool excuses(fr_stuck *stuck, fr_goal_book *book, const fr_snapshot *snapshot, const fr_walls *walls,
                    int32_t unit, int32_t other)
{
    if (!fr_goal_book_has_goal(book, other)) {
        return false;
    }
    fr_position goal = book->targets[book->units[unit].target].place;
    fr_position other_goal = book->targets[book->units[other].target].place;
    if (goal.x == other_goal.x && goal.y == other_goal.y) {
        return distance_now(book, snapshot, walls, other) < distance_now(book, snapshot, walls, unit);
    }
    return has_come_closer(stuck, book, snapshot, walls, other);
}

static void find_excuse(fr_stuck *stuck, fr_goal_book *book, const fr_neighbours *neighbours,
                        const fr_snapshot *snapshot, const fr_walls *walls, fr_still_unit *still)
{
    still->neighbour_count = fr_neighbours_nearest(neighbours, snapshot->position[still->unit], still->unit,
                                                   EXCUSE_REACH, still->neighbours, EXCUSES_MAX);
    for (int32_t n = 0; n < still->neighbour_count && !still->is_excused; n++) {
        still->is_excused = excuses(stuck, book, snapshot, walls, still->unit, still->neighbours[n]);
    }
}

/* Who stands beside an excused unit is excused. */
static void spread_excuses(fr_stuck *stuck)
{
    bool has_spread = true;
    while (has_spread) {
        has_spread = false;
        for (int32_t s = 0; s < stuck->still_count; s++) {
            fr_still_unit *still = &stuck->still[s];
            for (int32_t n = 0; n < still->neighbour_count && !still->is_excused; n++) {
                int32_t at = stuck->still_index[still->neighbours[n]];
                still->is_excused = at >= 0 && stuck->still[at].is_excused;
                has_spread |= still->is_excused;
            }
        }
    }
}

static void add_still(fr_stuck *stuck, int32_t unit)
{
    if (stuck->still_count == stuck->still_capacity) {
        stuck->still_capacity = stuck->still_capacity == 0 ? 64 : stuck->still_capacity * 2;
        stuck->still = fr_realloc(stuck->still, (size_t)stuck->still_capacity, sizeof *stuck->still);
    }
    stuck->still_index[unit] = stuck->still_count;
    stuck->still[stuck->still_count++] = (fr_still_unit){.unit = unit};
}

static bool is_candidate(const fr_goal_book *book, const fr_snapshot *snapshot, const bool *is_halted,
                         int32_t i)
{
    return snapshot->state[i] != FR_UNIT_GONE && fr_goal_book_has_goal(book, i) &&
           !book->units[i].is_inside && snapshot->tick >= book->units[i].order_tick + FR_STUCK_TICKS &&
           (is_halted == NULL || !is_halted[snapshot->group[i]]);
}

void fr_stuck_tick(fr_stuck *stuck, fr_goal_book *book, const fr_neighbours *neighbours,
                   const fr_snapshot *snapshot, const fr_walls *walls, const bool *is_halted)
{
    grow(stuck, snapshot);
    record(stuck, snapshot);
    if (snapshot->tick % stuck->interval != 0) {
        return;
    }
    for (int32_t s = 0; s < stuck->still_count; s++) {
        stuck->still_index[stuck->still[s].unit] = -1;
    }
    stuck->still_count = 0;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (!is_candidate(book, snapshot, is_halted, i)) {
            stuck->units[i].is_still = false;
        } else if (stands_still(stuck, snapshot, i)) {
            add_still(stuck, i);
        }
    }
    for (int32_t s = 0; s < stuck->still_count; s++) {
        find_excuse(stuck, book, neighbours, snapshot, walls, &stuck->still[s]);
    }
    spread_excuses(stuck);
    for (int32_t s = 0; s < stuck->still_count; s++) {
        fr_unit_still *unit = &stuck->units[stuck->still[s].unit];
        if (!stuck->still[s].is_excused && !unit->was_stuck) {
            unit->was_stuck = true;
            stuck->stuck_count++;
        }
    }
}
