/* score_goals: see the header. Targets are worked out anew whenever an order, a wall or a unit's region
 * changed, which is rare; in all other ticks a unit costs one look-up. */
#include "sim/score_goals.h"

#include "base/assert.h"
#include "base/memory.h"

/* Bytes for the distances of whole maps (they are needed only to judge who stands in whose way). */
#define FIELD_BYTES ((size_t)256 << 20)
#define FIELDS_MIN  4

void fr_goal_book_init(fr_goal_book *book, fr_grid grid)
{
    size_t field_bytes = (size_t)fr_grid_count(grid) * sizeof(uint32_t);
    size_t limit = FIELD_BYTES / field_bytes;
    limit = limit < FIELDS_MIN ? FIELDS_MIN : limit > FR_UNITS_MAX ? FR_UNITS_MAX : limit;
    *book = (fr_goal_book){
        .grid = grid, .field_limit = (int32_t)limit, .nearest_order = FR_NO_ORDER, .is_dirty = true};
    fr_distance_search_init(&book->search, grid);
}

void fr_goal_book_fini(fr_goal_book *book)
{
    fr_goal_book_drop_targets(book);
    for (int32_t i = 0; i < book->field_count; i++) {
        fr_free(book->fields[i].distance);
    }
    fr_free(book->fields);
    fr_free(book->targets);
    fr_free(book->slots);
    fr_free(book->keys);
    fr_free(book->units);
    fr_free(book->nearest);
    fr_free(book->nearest_distance);
    fr_distance_search_fini(&book->search);
    *book = (fr_goal_book){0};
}

static void grow(fr_goal_book *book, int32_t unit_count, uint32_t born_tick)
{
    if (unit_count <= book->unit_count) {
        return;
    }
    book->units = fr_realloc(book->units, (size_t)unit_count, sizeof *book->units);
    for (int32_t i = book->unit_count; i < unit_count; i++) {
        book->units[i] = (fr_unit_goal){
            .order = FR_NO_ORDER, .born_tick = born_tick, .target = FR_NO_TARGET, .open_cell = {-1, -1}};
    }
    book->unit_count = unit_count;
}

/* --- regions ------------------------------------------------------------------------------------- */

/* Keeps up in which region a unit last stood, through changes of walls. Returns true if it is another one. */
static bool update_region(fr_unit_goal *unit, const fr_walls *walls, fr_position position)
{
    fr_cell cell = fr_cell_at(position);
    uint32_t region = fr_walls_region(walls, cell);
    if (region == FR_WALL_REGION) {
        if (!walls->has_changed && unit->region != FR_WALL_REGION) {
            return false; /* it stands in a wall: what it stood on before still counts */
        }
        cell = unit->open_cell;
        region = fr_walls_region(walls, cell);
        if (region == FR_WALL_REGION && (fr_walls_nearest(walls, position, 0, unit->region, &cell) ||
                                         fr_walls_nearest(walls, position, 0, 0, &cell))) {
            region = fr_walls_region(walls, cell);
        }
    }
    bool is_other = walls->has_changed || region != unit->region;
    unit->open_cell = cell;
    unit->region = region;
    return is_other;
}

/* --- which of several goals ---------------------------------------------------------------------- */

static void find_nearest(fr_goal_book *book, const fr_snapshot *snapshot, const fr_walls *walls,
                         uint32_t order, fr_class movement_class)
{
    if (book->nearest_order == order && book->nearest_class == movement_class) {
        return;
    }
    const fr_order_view *view = &snapshot->orders[order];
    size_t count = (size_t)fr_grid_count(book->grid);
    if (book->nearest == NULL) {
        book->nearest = fr_alloc_raw(count, sizeof *book->nearest);
        book->nearest_distance = fr_alloc_raw(count, sizeof *book->nearest_distance);
    }
    fr_cell seeds[FR_GOALS_MAX];
    FR_ASSERT(view->goal_count <= FR_GOALS_MAX);
    for (int32_t i = 0; i < view->goal_count; i++) {
        seeds[i] = fr_cell_at(view->goals[i]);
    }
    fr_distance_from(&book->search, walls, seeds, view->goal_count, view->prices, book->nearest_distance,
                     book->nearest);
    book->nearest_order = order;
    book->nearest_class = movement_class;
    book->stray_region = FR_WALL_REGION;
}

/* Of goals that are all out of reach: the one to which the region comes nearest. */
static int32_t find_stray_goal(fr_goal_book *book, const fr_order_view *order, const fr_walls *walls,
                               uint32_t region)
{
    if (book->stray_region == region) {
        return book->stray_goal;
    }
    int64_t best = -1;
    int32_t goal = 0;
    for (int32_t i = 0; i < order->goal_count; i++) {
        fr_cell cell;
        if (fr_walls_nearest(walls, order->goals[i], region, 0, &cell)) {
            int64_t squared = fr_squared_distance(order->goals[i], fr_cell_centre(cell));
            if (best < 0 || squared < best) {
                best = squared;
                goal = i;
            }
        }
    }
    book->stray_region = region;
    book->stray_goal = goal;
    return goal;
}

static void choose_goal(fr_goal_book *book, const fr_snapshot *snapshot, const fr_walls *walls, int32_t i,
                        fr_cell cell)
{
    fr_unit_goal *unit = &book->units[i];
    const fr_order_view *order = &snapshot->orders[unit->order];
    int32_t goal = 0;
    if (order->goal_count > 1) {
        find_nearest(book, snapshot, walls, unit->order, (fr_class)snapshot->movement_class[i]);
        int32_t index = fr_grid_contains(book->grid, cell) ? fr_grid_index(book->grid, cell) : -1;
        if (index >= 0 && book->nearest_distance[index] != FR_DISTANCE_NONE) {
            goal = book->nearest[index];
        } else {
            goal = find_stray_goal(book, order, walls, unit->region);
        }
    }
    unit->asked = order->goals[goal];
    unit->area = order->area;
}

/* --- arrival ------------------------------------------------------------------------------------- */

static bool is_inside(const fr_goal_book *book, uint32_t target_index, fr_position position, double radius)
{
    const fr_target *target = &book->targets[target_index];
    if (!target->is_own) {
        return fr_ball_contains(&target->ball, fr_cell_at(position));
    }
    double reach = fr_own_goal_reach(radius);
    double dx = fr_cells(position.x) - fr_cells(target->place.x);
    double dy = fr_cells(position.y) - fr_cells(target->place.y);
    return dx * dx + dy * dy <= reach * reach;
}

static void update_arrival(fr_goal_book *book, const fr_snapshot *snapshot, const fr_position *before,
                           int32_t i)
{
    fr_unit_goal *unit = &book->units[i];
    double radius = (double)snapshot->radius[i];
    if (unit->target == FR_NO_TARGET) {
        unit->is_inside = unit->is_fresh = false;
        return;
    }
    if (unit->is_fresh) {
        /* The clock starts with the order: who stands there already was never on the way. */
        unit->is_inside = is_inside(book, unit->target, before[i], radius);
        unit->entered_tick = unit->order_tick;
        unit->is_fresh = false;
    }
    bool now = is_inside(book, unit->target, snapshot->position[i], radius);
    if (now && !unit->is_inside) {
        unit->entered_tick = snapshot->tick;
    }
    unit->is_inside = now;
}

/* The goal of an order to follow has moved on, or the unit was sent to another goal than the nearest. */
static bool goal_has_moved(const fr_snapshot *snapshot, fr_unit_goal *unit, int32_t i)
{
    const fr_order_view *order = &snapshot->orders[snapshot->order[i]];
    int32_t sent_to = fr_snapshot_sent_to(snapshot, i);
    if (!order->is_follow && sent_to < 0) {
        return false;
    }
    fr_position before = unit->asked;
    unit->asked = order->goals[order->is_follow ? 0 : sent_to];
    return fr_squared_distance(before, unit->asked) > 0;
}

/* Takes note of a new order, and of the region in which the unit stands. */
static void follow_unit(fr_goal_book *book, const fr_snapshot *snapshot, const fr_position *before,
                        const fr_walls *walls, int32_t i)
{
    fr_unit_goal *unit = &book->units[i];
    const fr_walls *own = &walls[snapshot->movement_class[i]];
    bool is_other = update_region(unit, own, snapshot->position[i]);
    uint32_t order = snapshot->order[i];
    if (snapshot->state[i] == FR_UNIT_GONE) {
        book->is_dirty |= is_other; /* its order may be gone too; what it needed still counts */
    } else if (order != FR_NO_ORDER &&
               (unit->order != order || unit->given_tick != snapshot->orders[order].tick)) {
        unit->order = order;
        unit->given_tick = snapshot->orders[order].tick;
        unit->order_tick = unit->given_tick > unit->born_tick ? unit->given_tick : unit->born_tick;
        unit->is_single = snapshot->orders[order].unit_count == 1;
        unit->is_fresh = true;
        choose_goal(book, snapshot, own, i, fr_cell_at(before[i]));
        book->is_dirty = true;
    } else if (order != FR_NO_ORDER && goal_has_moved(snapshot, unit, i)) {
        book->is_dirty = true; /* the clock goes on */
    } else if (is_other && unit->order != FR_NO_ORDER) {
        if (fr_walls_region(own, fr_cell_at(unit->asked)) != unit->region) {
            choose_goal(book, snapshot, own, i, unit->open_cell);
        }
        book->is_dirty = true;
    }
}

void fr_goal_book_tick(fr_goal_book *book, const fr_snapshot *snapshot, const fr_position *before,
                       const fr_walls *walls)
{
    grow(book, snapshot->unit_count, snapshot->tick - 1);
    /* Entries of orders are used again by later orders. */
    book->nearest_order = FR_NO_ORDER;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        follow_unit(book, snapshot, before, walls, i);
    }
    if (book->is_dirty) {
        fr_goal_book_rebuild(book, snapshot, walls);
    }
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] != FR_UNIT_GONE) {
            update_arrival(book, snapshot, before, i);
        }
    }
}
