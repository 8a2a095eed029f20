/* score_doors: see the header. */
#include "sim/score_doors.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

void fr_doors_init(fr_doors *doors, const fr_scenario *scenario)
{
    *doors = (fr_doors){.door_count = scenario != NULL ? scenario->door_count : 0};
    doors->doors = fr_alloc((size_t)doors->door_count + 1, sizeof *doors->doors);
    for (int32_t d = 0; d < doors->door_count; d++) {
        const double *line = scenario->doors[d].line;
        doors->doors[d].from = fr_position_at(line[0], line[1]);
        doors->doors[d].to = fr_position_at(line[2], line[3]);
    }
}

void fr_doors_fini(fr_doors *doors)
{
    for (int32_t d = 0; d < doors->door_count; d++) {
        fr_free(doors->doors[d].passages);
        fr_free(doors->doors[d].ticks);
    }
    fr_free(doors->doors);
    fr_free(doors->given_tick);
    *doors = (fr_doors){0};
}

static void grow(fr_doors *doors, int32_t unit_count)
{
    if (unit_count <= doors->unit_count) {
        return;
    }
    doors->given_tick = fr_realloc(doors->given_tick, (size_t)unit_count, sizeof *doors->given_tick);
    for (int32_t i = doors->unit_count; i < unit_count; i++) {
        doors->given_tick[i] = 0;
    }
    for (int32_t d = 0; d < doors->door_count; d++) {
        fr_door_score *door = &doors->doors[d];
        door->passages = fr_realloc(door->passages, (size_t)unit_count, sizeof *door->passages);
        for (int32_t i = doors->unit_count; i < unit_count; i++) {
            door->passages[i] = (fr_passage){.side = 0};
        }
    }
    doors->unit_count = unit_count;
}

static void keep(fr_door_score *door, uint32_t tick)
{
    if (door->tick_count == door->tick_capacity) {
        door->tick_capacity = door->tick_capacity == 0 ? 64 : 2 * door->tick_capacity;
        door->ticks = fr_realloc(door->ticks, (size_t)door->tick_capacity, sizeof *door->ticks);
    }
    door->ticks[door->tick_count++] = tick;
}

/* What a unit did under its last order is settled by the next. */
static void settle(fr_doors *doors, int32_t unit)
{
    for (int32_t d = 0; d < doors->door_count; d++) {
        fr_passage *passage = &doors->doors[d].passages[unit];
        if (passage->side != 0) {
            keep(&doors->doors[d], passage->tick);
        }
        passage->side = 0;
    }
}

void fr_doors_tick(fr_doors *doors, const fr_goal_book *book, const fr_snapshot *snapshot,
                   const fr_position *before)
{
    if (doors->door_count == 0) {
        return;
    }
    grow(doors, snapshot->unit_count);
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (book->units[i].order != FR_NO_ORDER && book->units[i].given_tick != doors->given_tick[i]) {
            doors->given_tick[i] = book->units[i].given_tick;
            settle(doors, i);
        }
        if (snapshot->state[i] == FR_UNIT_GONE) {
            continue;
        }
        for (int32_t d = 0; d < doors->door_count; d++) {
            fr_door_score *door = &doors->doors[d];
            if (fr_path_crosses(before[i], snapshot->position[i], door->from, door->to)) {
                int8_t side = fr_cross(door->from, door->to, before[i]) < 0 ? -1 : 1;
                fr_passage *passage = &door->passages[i];
                bool is_return = passage->side == -side;
                *passage = (fr_passage){snapshot->tick, is_return ? 0 : side};
            }
        }
    }
}

static int compare_ticks(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

double fr_doors_rate(const fr_doors *doors, int32_t index)
{
    const fr_door_score *door = &doors->doors[index];
    int32_t count = 0;
    uint32_t *ticks = fr_alloc_raw((size_t)door->tick_count + (size_t)doors->unit_count + 1, sizeof *ticks);
    for (; count < door->tick_count; count++) {
        ticks[count] = door->ticks[count];
    }
    for (int32_t i = 0; i < doors->unit_count; i++) {
        if (door->passages[i].side != 0) {
            ticks[count++] = door->passages[i].tick;
        }
    }
    qsort(ticks, (size_t)count, sizeof *ticks, compare_ticks);
    int32_t low = (int32_t)ceil(0.1 * count), high = (int32_t)ceil(0.9 * count);
    double rate = -1.0;
    if (count > 0 && ticks[high - 1] > ticks[low - 1]) {
        rate = (double)(high - low) * FR_TICK_HZ / (ticks[high - 1] - ticks[low - 1]);
    }
    fr_free(ticks);
    return rate;
}

double fr_door_capacity(const double line[4], double diameter, double top_speed)
{
    double dx = line[2] - line[0], dy = line[3] - line[1];
    double width = sqrt(dx * dx + dy * dy);
    if (width < diameter) {
        return -1.0;
    }
    return top_speed * (2.0 * (width - diameter) / (sqrt(3.0) * diameter * diameter) + 1.0 / diameter);
}
