/* score_targets: the targets of the goal book: which units share one, how far its arrival radius reaches, and
 * how far cells are from it. */
#include "sim/score_goals.h"

#include <string.h>

#include "base/memory.h"
#include "base/rng.h"

/* Goals this close are one goal when room is shared out. */
#define SAME_GOAL_CELLS 1.0

#define NO_SLOT UINT32_MAX

/* What the hash table finds targets by: a goal as asked from one region (kind 1), or a place (kind 2); an
 * area is a goal as asked. */
typedef struct fr_goal_key {
    int32_t x, y;
    uint32_t region;
    uint8_t movement_class, kind;
    fr_area area;
} fr_goal_key;

void fr_goal_book_drop_targets(fr_goal_book *book)
{
    for (int32_t i = 0; i < book->target_count; i++) {
        fr_ball_fini(&book->targets[i].ball);
    }
    book->target_count = 0;
    for (int32_t i = 0; i < book->field_count; i++) {
        book->fields[i].target = FR_NO_TARGET;
        book->fields[i].used = 0;
    }
}

/* --- targets ------------------------------------------------------------------------------------- */

static uint64_t hash_key(const fr_goal_key *key)
{
    uint64_t place = (uint64_t)(uint32_t)key->x << 32 | (uint32_t)key->y;
    uint64_t rest = (uint64_t)key->region << 16 | (uint64_t)key->movement_class << 8 | key->kind;
    return fr_mix64(place ^ fr_mix64(fr_area_hash(&key->area, rest)));
}

/* The slot of a key; empty (NO_SLOT in it) if the key is new, and then its own from now on. */
static uint32_t *find_slot(fr_goal_book *book, const fr_goal_key *key)
{
    uint32_t at = (uint32_t)hash_key(key) & (book->slot_count - 1);
    while (book->slots[at] != NO_SLOT) {
        const fr_goal_key *other = &book->keys[at];
        if (other->x == key->x && other->y == key->y && other->region == key->region &&
            other->movement_class == key->movement_class && other->kind == key->kind &&
            fr_area_equals(&other->area, &key->area)) {
            return &book->slots[at];
        }
        at = (at + 1) & (book->slot_count - 1);
    }
    book->keys[at] = *key;
    return &book->slots[at];
}

/* Room for two keys a unit, half full at most. */
static void clear_slots(fr_goal_book *book)
{
    uint32_t needed = 64;
    while (needed < 4u * (uint32_t)book->unit_count) {
        needed *= 2;
    }
    if (needed > book->slot_count) {
        fr_free(book->slots);
        fr_free(book->keys);
        book->slots = fr_alloc_raw(needed, sizeof *book->slots);
        book->keys = fr_alloc_raw(needed, sizeof *book->keys);
        book->slot_count = needed;
    }
    memset(book->slots, 0xff, book->slot_count * sizeof *book->slots);
}

static uint32_t add_target(fr_goal_book *book, fr_position place, fr_class movement_class)
{
    if (book->target_count == book->target_capacity) {
        book->target_capacity = book->target_capacity == 0 ? 16 : book->target_capacity * 2;
        book->targets = fr_realloc(book->targets, (size_t)book->target_capacity, sizeof *book->targets);
    }
    book->targets[book->target_count] = (fr_target){.place = place,
                                                    .cell = fr_cell_at(place),
                                                    .movement_class = movement_class,
                                                    .place_in_cache = NO_SLOT};
    return (uint32_t)book->target_count++;
}

static uint32_t target_at(fr_goal_book *book, fr_position place, fr_class movement_class)
{
    fr_goal_key key = {place.x, place.y, 0, (uint8_t)movement_class, 2, {.kind = FR_AREA_NONE}};
    uint32_t *slot = find_slot(book, &key);
    if (*slot == NO_SLOT) {
        *slot = add_target(book, place, movement_class);
    }
    return *slot;
}

/* The cells of an area that lie in a region: fills `cells` (or null) and returns their number. */
static int32_t list_area(const fr_goal_book *book, const fr_walls *walls, const fr_area *area,
                         uint32_t region, fr_cell *cells)
{
    int32_t count = 0;
    fr_rect bounds = fr_area_bounds(area, book->grid);
    for (int32_t y = bounds.y; y < bounds.y + bounds.height; y++) {
        for (int32_t x = bounds.x; x < bounds.x + bounds.width; x++) {
            fr_cell cell = {x, y};
            if (fr_area_contains(area, cell) && fr_walls_region(walls, cell) == region) {
                if (cells != NULL) {
                    cells[count] = cell;
                }
                count++;
            }
        }
    }
    return count;
}

static uint32_t find_target(fr_goal_book *book, const fr_unit_goal *unit, const fr_walls *walls,
                            fr_class movement_class)
{
    if (unit->order == FR_NO_ORDER || unit->region == FR_WALL_REGION) {
        return FR_NO_TARGET;
    }
    fr_goal_key key = {unit->asked.x, unit->asked.y, unit->region, (uint8_t)movement_class, 1, unit->area};
    uint32_t *slot = find_slot(book, &key);
    if (*slot != NO_SLOT) {
        return *slot;
    }
    fr_position place = unit->asked;
    if (unit->area.kind != FR_AREA_NONE && list_area(book, walls, &unit->area, unit->region, NULL) > 0) {
        *slot = add_target(book, place, movement_class);
        book->targets[*slot].area = unit->area;
        book->targets[*slot].region = unit->region;
        return *slot;
    }
    fr_cell substitute;
    if (fr_walls_region(walls, fr_cell_at(place)) != unit->region &&
        fr_walls_nearest(walls, place, unit->region, 0, &substitute)) {
        place = fr_cell_centre(substitute);
    }
    *slot = target_at(book, place, movement_class);
    return *slot;
}

/* Cells needed by all units whose goal is within a cell of this one. */
static double cells_needed(const fr_goal_book *book, const fr_target *target)
{
    double sum = 0.0;
    const int64_t near = (int64_t)(SAME_GOAL_CELLS * FR_POSITION_ONE);
    for (int32_t i = 0; i < book->target_count; i++) {
        const fr_target *other = &book->targets[i];
        if (fr_squared_distance(other->place, target->place) <= near * near &&
            fr_area_equals(&other->area, &target->area)) {
            sum += other->disc_cells;
        }
    }
    return FR_PACK_ROOM * sum;
}

/* What distances to a target begin from: its cell, or those of its area. The caller frees them. */
static fr_cell *target_seeds(const fr_goal_book *book, const fr_walls *walls, const fr_target *target,
                             int32_t *count)
{
    *count = 1;
    if (target->area.kind == FR_AREA_NONE) {
        fr_cell *cell = fr_alloc(1, sizeof *cell);
        *cell = target->cell;
        return cell;
    }
    const fr_walls *own = &walls[target->movement_class];
    fr_rect bounds = fr_area_bounds(&target->area, book->grid);
    fr_cell *cells = fr_alloc_raw((size_t)bounds.width * (size_t)bounds.height, sizeof *cells);
    *count = list_area(book, own, &target->area, target->region, cells);
    return cells;
}

void fr_goal_book_rebuild(fr_goal_book *book, const fr_snapshot *snapshot, const fr_walls *walls)
{
    fr_goal_book_drop_targets(book);
    clear_slots(book);
    for (int32_t i = 0; i < book->unit_count; i++) {
        fr_unit_goal *unit = &book->units[i];
        fr_class movement_class = (fr_class)snapshot->movement_class[i];
        unit->target = find_target(book, unit, &walls[movement_class], movement_class);
        if (unit->target != FR_NO_TARGET) {
            fr_target *target = &book->targets[unit->target];
            double radius = (double)snapshot->radius[i];
            target->disc_cells += FR_PACKED_CELLS * radius * radius;
            target->unit_count++;
            target->is_own = unit->is_single && target->area.kind == FR_AREA_NONE;
        }
    }
    for (int32_t i = 0; i < book->target_count; i++) {
        fr_target *target = &book->targets[i];
        target->is_own = target->is_own && target->unit_count == 1;
        if (!target->is_own) {
            int32_t count;
            fr_cell *seeds = target_seeds(book, walls, target, &count);
            fr_ball_init(&target->ball, &book->search, &walls[target->movement_class], seeds, count,
                         cells_needed(book, target));
            fr_free(seeds);
        }
    }
    book->is_dirty = false;
}

/* --- distances ----------------------------------------------------------------------------------- */

static fr_distance_field *take_field(fr_goal_book *book)
{
    for (int32_t i = 0; i < book->field_count; i++) {
        if (book->fields[i].target == FR_NO_TARGET) {
            return &book->fields[i];
        }
    }
    if (book->field_count < book->field_limit) {
        if ((book->field_count & (book->field_count - 1)) == 0) {
            size_t capacity = book->field_count == 0 ? 1 : 2 * (size_t)book->field_count;
            book->fields = fr_realloc(book->fields, capacity, sizeof *book->fields);
        }
        fr_distance_field *field = &book->fields[book->field_count++];
        *field = (fr_distance_field){.target = FR_NO_TARGET};
        field->distance = fr_alloc_raw((size_t)fr_grid_count(book->grid), sizeof *field->distance);
        return field;
    }
    fr_distance_field *oldest = &book->fields[0];
    for (int32_t i = 1; i < book->field_count; i++) {
        oldest = book->fields[i].used < oldest->used ? &book->fields[i] : oldest;
    }
    book->targets[oldest->target].place_in_cache = NO_SLOT;
    return oldest;
}

uint32_t fr_goal_book_distance(fr_goal_book *book, const fr_walls *walls, uint32_t target_index, fr_cell cell)
{
    if (!fr_grid_contains(book->grid, cell)) {
        return FR_DISTANCE_NONE;
    }
    fr_target *target = &book->targets[target_index];
    if (target->place_in_cache == NO_SLOT) {
        fr_distance_field *field = take_field(book);
        field->target = target_index;
        int32_t count;
        fr_cell *seeds = target_seeds(book, walls, target, &count);
        fr_distance_from(&book->search, &walls[target->movement_class], seeds, count, NULL, field->distance,
                         NULL);
        fr_free(seeds);
        target->place_in_cache = (uint32_t)(field - book->fields);
    }
    fr_distance_field *field = &book->fields[target->place_in_cache];
    field->used = ++book->clock;
    return field->distance[fr_grid_index(book->grid, cell)];
}
