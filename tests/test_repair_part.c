/* Repair of partial fields: what their extent holds is exact over the new costs, nothing else is built, and
 * the front can go on from there. */
#include <stdio.h>

#include "repair_site.h"

/* The whole field, with what an extent does not hold taken away. */
static fr_field *build_within(site *s, fr_class movement_class, fr_extent extent)
{
    fr_field *field = build(s, movement_class);
    fr_field *cut = fr_field_clone(s->pool, field);
    cut->extent = extent;
    cut->maximum = 0;
    cut->saturated = field->saturated && fr_field_is_complete(cut);
    for (int32_t number = 0; number < fr_grid_block_count(field->grid); number++) {
        if (cut->table[number] == FR_BLOCK_ABSENT) {
            continue;
        }
        fr_field_block *block = fr_field_block_own(cut, number);
        fr_rect rect = fr_grid_block_rect(field->grid, number);
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            fr_cell cell = {rect.x + i % FR_BLOCK_SIDE, rect.y + i / FR_BLOCK_SIDE};
            if (!fr_extent_holds(&extent, cell, block->integration[i])) {
                block->integration[i] = FR_UNREACHED;
                block->best[i] = 0;
                block->target[i] = FR_TARGET_NONE;
            }
        }
        block->maximum = fr_block_maximum(block);
        cut->maximum = block->maximum > cut->maximum ? block->maximum : cut->maximum;
        if (fr_block_is_unreached(block)) {
            fr_field_block_leave(cut, number);
        }
    }
    fr_field_settle(s->pool, cut);
    fr_field_destroy(s->pool, field);
    return cut;
}

static void expect_part(site *s, int c, const char *what)
{
    fr_field *expected = build_within(s, classes[c], s->fields[c]->extent);
    expect_same_fields(what, s->fields[c], expected);
    fr_field_destroy(s->pool, expected);
}

static void replace(site *s, int c, fr_field *after)
{
    fr_field_settle(s->pool, after);
    fr_field_destroy(s->pool, s->fields[c]);
    s->fields[c] = after;
}

/* Extends a field as far as a random cell and a little on. */
static void extend(site *s, fr_rng *rng, int c)
{
    fr_cell cell = random_open_cell(rng, s->map);
    fr_field_part part = {.cells = &cell, .cell_count = 1, .reach = fr_rng_below(rng, 2000)};
    fr_field *after = fr_field_clone(s->pool, s->fields[c]);
    fr_field_extend(after, s->scratch, s->snapshot, classes[c], s->goals, s->goal_count, &part);
    replace(s, c, after);
}

static void begin_parts(site *s, fr_rng *rng)
{
    draw_goals(s, rng);
    fr_cost_release(s->cost, s->snapshot);
    s->snapshot = fr_cost_acquire(s->cost);
    for (int c = 0; c < CLASSES; c++) {
        replace(s, c, fr_field_reserve(s->pool, s->map->grid));
        extend(s, rng, c);
    }
}

static void repair_parts(site *s, const char *what)
{
    const fr_cost_snapshot *now = fr_cost_acquire(s->cost);
    for (int c = 0; c < CLASSES; c++) {
        fr_field *after = fr_field_clone(s->pool, s->fields[c]);
        assert_true(fr_field_repair(after, s->repair, s->snapshot, now, classes[c], s->goals, s->goal_count));
        replace(s, c, after);
        expect_part(s, c, what);
    }
    fr_cost_release(s->cost, s->snapshot);
    s->snapshot = now;
}

static void test_parts_are_repaired_and_extended(void **state)
{
    (void)state;
    static const struct {
        field_map_kind kind;
        fr_grid grid;
        int edits;
    } maps[] = {{MAP_CAVE, {150, 97}, 60}, {MAP_WEIGHTED, {95, 130}, 60}, {MAP_MAZE, {67, 41}, 120}};
    fr_rng rng = {4};
    int partial = 0;
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        fr_goal goal = {{1, 1}, 0};
        site s = open_site(random_map_of_size(&rng, maps[m].kind, maps[m].grid), &goal, 1);
        for (int e = 0; e < maps[m].edits; e++) {
            char what[64];
            snprintf(what, sizeof what, "map %d, edit %d", (int)m, e);
            if (e % 8 == 0) {
                /* Dear ground, as edits leave it, makes parts of small maps whole. */
                fr_cost_set_edit(s.cost, (fr_rect){0, 0, maps[m].grid.width, maps[m].grid.height}, 0);
                begin_parts(&s, &rng);
            }
            edit_at_random(&s, &rng);
            repair_parts(&s, what);
            partial += !fr_field_is_complete(s.fields[0]);
            if (e % 8 == 5) {
                for (int c = 0; c < CLASSES; c++) {
                    extend(&s, &rng, c);
                    expect_part(&s, c, "extended after repairs");
                }
            }
        }
        close_site(&s);
    }
    assert_true(partial > 60); /* not all fields turned out to be complete */
}

/* A change that lies beyond what a field holds leaves it as it is. */
static void test_a_change_elsewhere(void **state)
{
    (void)state;
    fr_goal goal = {{5, 5}, 0};
    site s = open_site(open_map(200, 60), &goal, 1);
    fr_cell near = {20, 10};
    fr_field_part part = {.cells = &near, .cell_count = 1, .reach = 0};
    replace(&s, 0, fr_field_reserve(s.pool, s.map->grid));
    fr_field *field = fr_field_clone(s.pool, s.fields[0]);
    fr_field_extend(field, s.scratch, s.snapshot, classes[0], s.goals, 1, &part);
    replace(&s, 0, field);
    fr_cost_set_edit(s.cost, (fr_rect){150, 0, 3, 60}, FR_COST_WALL);
    const fr_cost_snapshot *now = fr_cost_acquire(s.cost);
    fr_field *after = fr_field_clone(s.pool, s.fields[0]);
    assert_true(fr_field_repair(after, s.repair, s.snapshot, now, classes[0], s.goals, 1));
    fr_field_settle(s.pool, after);
    assert_memory_equal(after->table, s.fields[0]->table,
                        (size_t)fr_grid_block_count(s.map->grid) * sizeof *after->table);
    fr_field_destroy(s.pool, after);
    fr_cost_release(s.cost, now);
    close_site(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_repaired_and_extended),
        cmocka_unit_test(test_a_change_elsewhere),
    };
    return cmocka_run_group_tests_name("repair part", tests, NULL, NULL);
}
