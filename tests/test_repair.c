/* Repair: whatever is built, razed or painted, a repaired field has the bits of a field built anew. */
#include <stdio.h>
#include <stdlib.h>

#include "field/repair.h"
#include "field_maps.h"

/* Set to a number of edits, this makes test_random_edits try that many instead of the usual 500. */
#define EDITS_VARIABLE "FRESHET_REPAIR_EDITS"

enum { CLASSES = 2 };
static const fr_class classes[CLASSES] = {FR_CLASS_FOOT, FR_CLASS_WHEELS};

/* A map under edits, with a field per class that is only ever repaired. */
typedef struct site {
    fr_map *map;
    fr_cost *cost;
    fr_scratch *scratch;
    fr_field_pool *pool;
    fr_repair *repair;
    const fr_cost_snapshot *snapshot; /* of the fields */
    fr_field *fields[CLASSES];
    fr_goal goals[4];
    int goal_count;
} site;

static fr_field *build(site *s, fr_class movement_class)
{
    fr_field *field = fr_field_build(s->pool, s->scratch, s->cost, movement_class, s->goals, s->goal_count);
    assert_non_null(field);
    return field;
}

static void build_all(site *s)
{
    if (s->snapshot != NULL) {
        fr_cost_release(s->cost, s->snapshot);
    }
    s->snapshot = fr_cost_acquire(s->cost);
    for (int c = 0; c < CLASSES; c++) {
        fr_field_destroy(s->pool, s->fields[c]);
        s->fields[c] = build(s, classes[c]);
    }
}

/* Takes over the map. Wheels pay more than feet, and find walls where feet find dear ground. */
static site open_site(fr_map *map, const fr_goal *goals, int goal_count)
{
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        uint8_t cost = map->costs[FR_CLASS_FOOT][i];
        map->costs[FR_CLASS_WHEELS][i] = cost > 100 || i % 97 == 0 ? FR_COST_WALL : (uint8_t)(cost + i % 2);
    }
    site s = {.map = map, .cost = fr_cost_create(map), .goal_count = goal_count};
    memcpy(s.goals, goals, (size_t)goal_count * sizeof *goals);
    s.scratch = fr_scratch_create(map->grid);
    s.pool = fr_field_pool_create(map->grid, 16u << 20);
    s.repair = fr_repair_create(map->grid, fr_grid_block_count(map->grid) * FR_BLOCK_CELLS);
    build_all(&s);
    return s;
}

static void close_site(site *s)
{
    fr_repair_destroy(s->repair);
    fr_field_pool_destroy(s->pool);
    fr_scratch_destroy(s->scratch);
    fr_cost_release(s->cost, s->snapshot);
    fr_cost_destroy(s->cost);
    fr_map_destroy(s->map);
}

static void expect_same_fields(const char *what, const fr_field *found, const fr_field *expected)
{
    fr_grid grid = expected->grid;
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        fr_cell cell = fr_grid_cell(grid, i);
        fr_field_cell a = fr_field_cell_at(found, cell), b = fr_field_cell_at(expected, cell);
        if (a.integration != b.integration || a.best != b.best) {
            fail_msg("%s: at %d,%d found %u by steps %02x, expected %u by steps %02x", what, cell.x, cell.y,
                     a.integration, a.best, b.integration, b.best);
        }
    }
    for (int32_t number = 0; number < fr_grid_block_count(grid); number++) {
        fr_cell corner = {fr_grid_block_rect(grid, number).x, fr_grid_block_rect(grid, number).y};
        if (fr_field_block_at(found, corner)->maximum != fr_field_block_at(expected, corner)->maximum) {
            fail_msg("%s: another maximum in the block at %d,%d", what, corner.x, corner.y);
        }
    }
    if (found->maximum != expected->maximum || found->saturated != expected->saturated) {
        fail_msg("%s: found maximum %u%s, expected %u%s", what, found->maximum,
                 found->saturated ? ", saturated" : "", expected->maximum,
                 expected->saturated ? ", saturated" : "");
    }
}

static int32_t count_changes(const fr_field *before, const fr_field *after)
{
    int32_t changes = 0;
    for (int32_t i = 0; i < fr_grid_count(before->grid); i++) {
        fr_cell cell = fr_grid_cell(before->grid, i);
        fr_field_cell a = fr_field_cell_at(before, cell), b = fr_field_cell_at(after, cell);
        changes += a.integration != b.integration || a.best != b.best;
    }
    return changes;
}

/* Repairs the fields of a site after an edit and compares them with fields built anew. */
static void repair_all(site *s, const char *what)
{
    const fr_cost_snapshot *now = fr_cost_acquire(s->cost);
    for (int c = 0; c < CLASSES; c++) {
        fr_field *before = s->fields[c];
        fr_field *after = fr_field_clone(s->pool, before);
        assert_non_null(after);
        assert_true(fr_field_repair(after, s->repair, s->snapshot, now, classes[c], s->goals, s->goal_count));
        fr_field_settle(s->pool, after);
        fr_field *anew = build(s, classes[c]);
        expect_same_fields(what, after, anew);
        int32_t changes = count_changes(before, after);
        assert_int_equal(fr_field_count_changes(before, after), changes);
        assert_int_equal(fr_field_count_changes(before, anew), changes);
        fr_field_destroy(s->pool, anew);
        fr_field_destroy(s->pool, before);
        s->fields[c] = after;
    }
    fr_cost_release(s->cost, s->snapshot);
    s->snapshot = now;
}

/* ---- cases drawn by hand ---- */

typedef struct edit {
    fr_rect rect;
    uint8_t cost; /* 0 razes */
} edit;

static void test_edits_by_hand(void **state)
{
    (void)state;
    static const char *const two_ways[] = {
        "###########", "#.........#", "#.#######.#", "#.#######.#",
        "#s.......g#", "#.#######.#", "###########", NULL,
    };
    static const char *const hall[] = {"..........", "..........", "....g.....", "..........", NULL};
    static const char *const cell[] = {"g#.", "##.", "...", NULL};
    static const struct {
        const char *name;
        const char *const *rows;
        edit edits[5]; /* until a rect of no width */
    } cases[] = {
        {"the nearer way closes and opens", two_ways, {{{5, 4, 1, 1}, 255}, {{5, 4, 1, 1}, 0}}},
        {"both ways close, the other opens first",
         two_ways,
         {{{5, 4, 1, 1}, 255}, {{5, 1, 1, 1}, 255}, {{5, 1, 1, 1}, 0}, {{5, 4, 1, 1}, 0}}},
        {"the goal is built over, and freed",
         hall,
         {{{3, 1, 3, 3}, 255}, {{4, 2, 1, 1}, 1}, {{3, 1, 3, 3}, 0}}},
        {"the goal's own cost never counts",
         hall,
         {{{4, 2, 1, 1}, 9}, {{4, 2, 1, 1}, 200}, {{4, 2, 1, 1}, 0}}},
        {"only diagonals past the corner change", hall, {{{3, 3, 1, 1}, 255}, {{3, 3, 1, 1}, 0}}},
        {"a wall moves by a cell", hall, {{{6, 0, 1, 4}, 255}, {{6, 0, 2, 4}, 255}, {{6, 0, 1, 4}, 0}}},
        {"a goal shut in gets out", cell, {{{1, 0, 1, 1}, 1}, {{0, 1, 2, 1}, 3}, {{1, 1, 1, 1}, 1}}},
        {"all is wall, all is open", hall, {{{0, 0, 10, 4}, 255}, {{0, 0, 10, 4}, 0}}},
        {"nothing changes", hall, {{{2, 2, 1, 1}, 1}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_goal goal = {picture_cell(cases[i].rows, 'g'), 0};
        site s = open_site(map_from_picture(cases[i].rows), &goal, 1);
        for (const edit *e = cases[i].edits; e->rect.width > 0; e++) {
            fr_cost_set_edit(s.cost, e->rect, e->cost);
            repair_all(&s, cases[i].name);
        }
        close_site(&s);
    }
}

/* A goal's price just below the limit: the far end of the map is beyond it, and comes and goes. */
static void test_saturation(void **state)
{
    (void)state;
    fr_goal goals[] = {{{1, 1}, FR_INTEGRATION_MAX - 40 * FR_STEP_STRAIGHT},
                       {{69, 2}, FR_INTEGRATION_MAX - 7}};
    site s = open_site(open_map(70, 4), goals, 2);
    assert_true(fr_field_saturated(s.fields[0]));
    static const edit edits[] = {
        {{45, 0, 1, 4}, 255}, /* the front is dammed: nothing is lost on this side, much on the other */
        {{45, 0, 1, 4}, 0},   {{3, 0, 30, 4}, 200}, {{3, 0, 30, 4}, 0},   {{30, 0, 40, 4}, 255},
        {{69, 0, 1, 4}, 1},   {{30, 0, 40, 4}, 0},  {{20, 1, 1, 1}, 255},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        fr_cost_set_edit(s.cost, edits[i].rect, edits[i].cost);
        repair_all(&s, "near the limit");
    }
    close_site(&s);
}

/* ---- what a repair costs ---- */

/* A building far from the goal changes its own shadow: all but a few blocks stay shared. */
static void test_repair_is_local(void **state)
{
    (void)state;
    fr_goal goal = {{10, 5}, 0};
    site s = open_site(open_map(512, 320), &goal, 1);
    const fr_cost_snapshot *before = s.snapshot;
    fr_cost_set_edit(s.cost, (fr_rect){400, 300, 3, 3}, FR_COST_WALL);
    const fr_cost_snapshot *after = fr_cost_acquire(s.cost);
    fr_field *repaired = fr_field_clone(s.pool, s.fields[0]);
    assert_true(fr_field_repair(repaired, s.repair, before, after, classes[0], s.goals, 1));
    int32_t own = 0;
    for (int32_t number = 0; number < fr_grid_block_count(repaired->grid); number++) {
        own += repaired->table[number] != s.fields[0]->table[number];
    }
    assert_in_range(own, 1, 8);
    fr_field_destroy(s.pool, repaired);
    fr_cost_release(s.cost, after);
    close_site(&s);
}

/* More than the working memory is for: given up, and the next repair is none the worse. */
static void test_giving_up(void **state)
{
    (void)state;
    static const edit edits[] = {
        {{2, 0, 3, 32}, 255}, /* drops all but a few cells */
        {{2, 0, 3, 32}, 1},   /* opens them again */
        {{0, 0, 40, 32}, 7},  /* changes all costs */
    };
    fr_goal goal = {{1, 3}, 0};
    site s = open_site(open_map(40, 32), &goal, 1);
    fr_repair *small = fr_repair_create(s.map->grid, 200);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        fr_cost_set_edit(s.cost, edits[i].rect, edits[i].cost);
        const fr_cost_snapshot *now = fr_cost_acquire(s.cost);
        fr_field *field = fr_field_clone(s.pool, s.fields[0]);
        assert_false(fr_field_repair(field, small, s.snapshot, now, classes[0], s.goals, 1));
        fr_field_destroy(s.pool, field);
        fr_cost_release(s.cost, now);
        repair_all(&s, "after giving up");
    }
    fr_repair_destroy(small);
    close_site(&s);
}

/* ---- random edits ---- */

/* Walls, dear ground, paint, and razing what stands; mostly small, now and then a large rectangle. */
static void edit_at_random(site *s, fr_rng *rng)
{
    uint32_t largest = fr_rng_below(rng, 8) == 0 ? 40 : 5;
    fr_rect rect = {(int32_t)fr_rng_below(rng, (uint32_t)s->map->grid.width) - 1,
                    (int32_t)fr_rng_below(rng, (uint32_t)s->map->grid.height) - 1,
                    1 + (int32_t)fr_rng_below(rng, largest), 1 + (int32_t)fr_rng_below(rng, largest)};
    uint8_t cost = (uint8_t)(1 + fr_rng_below(rng, fr_rng_below(rng, 4) == 0 ? 254 : 6));
    switch (fr_rng_below(rng, 6)) {
    case 0:
    case 1:
        fr_cost_set_edit(s->cost, rect, FR_COST_WALL);
        break;
    case 2:
        fr_cost_set_edit(s->cost, rect, cost);
        break;
    case 3:
        fr_cost_set_terrain(s->cost, rect, FR_TERRAIN_GRASS, cost);
        break;
    case 4:
        fr_cost_set_edit(s->cost, rect, 0);
        break;
    default:
        rect.width *= 4, rect.height *= 4;
        fr_cost_set_edit(s->cost, rect, 0);
    }
}

/* One to four goals, some with a price, one beside the other now and then, in order of their cells. */
static void new_goals(site *s, fr_rng *rng)
{
    s->goal_count = 0;
    int32_t count = 1 + (int32_t)fr_rng_below(rng, 4), index = 0;
    for (int32_t g = 0; g < count; g++) {
        int32_t left = fr_grid_count(s->map->grid) - index - count;
        index += 1 + (int32_t)fr_rng_below(rng, fr_rng_below(rng, 4) == 0 ? 3 : (uint32_t)left);
        uint32_t price = fr_rng_below(rng, 2) == 0 ? 0 : fr_rng_below(rng, 40) * FR_STEP_STRAIGHT;
        s->goals[s->goal_count++] = (fr_goal){fr_grid_cell(s->map->grid, index), price};
    }
    build_all(s);
}

static void test_random_edits(void **state)
{
    (void)state;
    static const struct {
        field_map_kind kind;
        fr_grid grid;
        int edits;
    } maps[] = {
        {MAP_CAVE, {256, 197}, 20},
        {MAP_WEIGHTED, {95, 150}, 130},
        {MAP_MAZE, {61, 37}, 350},
    };
    const char *wanted = getenv(EDITS_VARIABLE);
    fr_rng rng = {15};
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        fr_goal goal = {{1, 1}, 0};
        site s = open_site(random_map_of_size(&rng, maps[m].kind, maps[m].grid), &goal, 1);
        int edits = wanted != NULL ? (atoi(wanted) + 2) / 3 : maps[m].edits;
        for (int e = 0; e < edits; e++) {
            if (e % 25 == 0) {
                new_goals(&s, &rng);
            }
            char what[64];
            snprintf(what, sizeof what, "map %d, edit %d", (int)m, e);
            edit_at_random(&s, &rng);
            repair_all(&s, what);
        }
        close_site(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits_by_hand),   cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_repair_is_local), cmocka_unit_test(test_giving_up),
        cmocka_unit_test(test_random_edits),
    };
    return cmocka_run_group_tests_name("repair", tests, NULL, NULL);
}
