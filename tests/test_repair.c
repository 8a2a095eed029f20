/* Repair: whatever is built, razed or painted, a repaired field has the bits of a field built anew. */
#include <stdio.h>
#include <stdlib.h>

#include "repair_site.h"

/* Set to a number of edits, this makes test_random_edits try that many instead of the usual 500. */
#define EDITS_VARIABLE "FRESHET_REPAIR_EDITS"

static int32_t count_changes(const fr_field *before, const fr_field *after)
{
    int32_t changes = 0;
    for (int32_t i = 0; i < fr_grid_count(before->grid); i++) {
        fr_cell cell = fr_grid_cell(before->grid, i);
        fr_field_cell a = fr_field_cell_at(before, cell), b = fr_field_cell_at(after, cell);
        changes += a.integration != b.integration || a.best != b.best || a.target != b.target;
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

/* Edits and repairs one map, which it takes over; every 25th time with other goals. */
static void edit_and_repair(fr_map *map, int edits, const char *name, fr_rng *rng,
                            void (*change)(site *s, fr_rng *rng))
{
    fr_goal goal = {{1, 1}, 0};
    site s = open_site(map, &goal, 1);
    for (int e = 0; e < edits; e++) {
        if (e % 25 == 0) {
            draw_goals(&s, rng);
            build_all(&s);
        }
        char what[64];
        snprintf(what, sizeof what, "%s, edit %d", name, e);
        change(&s, rng);
        repair_all(&s, what);
    }
    close_site(&s);
}

static int edits_wanted(int usual)
{
    const char *wanted = getenv(EDITS_VARIABLE);
    return wanted != NULL ? (atoi(wanted) + 2) / 3 : usual;
}

static void test_random_edits(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        field_map_kind kind;
        fr_grid grid;
        int edits;
    } maps[] = {
        {"cave", MAP_CAVE, {256, 197}, 10},
        {"weighted", MAP_WEIGHTED, {95, 150}, 90},
        {"maze", MAP_MAZE, {61, 37}, 400},
    };
    fr_rng rng = {15};
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        fr_map *map = random_map_of_size(&rng, maps[m].kind, maps[m].grid);
        edit_and_repair(map, edits_wanted(maps[m].edits), maps[m].name, &rng, edit_at_random);
    }
}

static void edit_in_the_open(site *s, fr_rng *rng)
{
    fr_rect rect = {(int32_t)fr_rng_below(rng, (uint32_t)s->map->grid.width),
                    (int32_t)fr_rng_below(rng, (uint32_t)s->map->grid.height),
                    1 + (int32_t)fr_rng_below(rng, 3), 1 + (int32_t)fr_rng_below(rng, 3)};
    uint32_t kind = fr_rng_below(rng, 5);
    if (kind == 4) {
        rect.x -= 8, rect.width += 16;
        rect.y -= 8, rect.height += 16;
    }
    fr_cost_set_edit(s->cost, rect, kind < 3 ? FR_COST_WALL : kind == 3 ? 2 : 0);
}

/* Ground as even as it can be, where one looks far: a small change bends lines far behind it. */
static void test_edits_in_the_open(void **state)
{
    (void)state;
    fr_rng rng = {3};
    edit_and_repair(open_map(90, 71), edits_wanted(60), "open", &rng, edit_in_the_open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits_by_hand),   cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_repair_is_local), cmocka_unit_test(test_giving_up),
        cmocka_unit_test(test_random_edits),    cmocka_unit_test(test_edits_in_the_open),
    };
    return cmocka_run_group_tests_name("repair", tests, NULL, NULL);
}
