/* The field service: who gets which field, and when it is seen. */
#include "service_scene.h"

#include "field/field_internal.h"

static bench open_bench(fr_map *map, size_t budget_bytes)
{
    return make_bench(map, fr_executor_inline(), budget_bytes);
}

static uint32_t value(bench *b, fr_field_id id, int32_t x, int32_t y)
{
    const fr_field *field = fr_field_service_get(b->service, id);
    assert_non_null(field);
    return fr_field_value(field, (fr_cell){x, y});
}

static void test_small_field_is_seen_after_two_ticks(void **state)
{
    (void)state;
    bench b = open_bench(open_map(40, 30), FR_FIELD_BYTES);
    fr_field_id id = request(&b, 5, 5);
    assert_null(fr_field_service_get(b.service, id));
    assert_false(tick(&b)); /* tick 0: charged */
    assert_false(tick(&b));
    assert_null(fr_field_service_get(b.service, id));
    assert_true(tick(&b)); /* tick 2: due */
    assert_int_equal(value(&b, id, 8, 5), 3 * FR_STEP_STRAIGHT);
    fr_field_service_release(b.service, id);
    close_bench(&b);
}

/* 520x500 = 17 x 16 blocks = 278,528 cells: more than one tick's work, so a second request waits for the
 * first. */
static void test_work_is_charged_in_order(void **state)
{
    (void)state;
    bench b = open_bench(open_map(520, 500), FR_FIELD_BYTES);
    fr_field_id first = request(&b, 5, 5), second = request(&b, 510, 490);
    uint32_t seen_first = 0, seen_second = 0;
    for (uint32_t t = 0; t < 8; t++) {
        tick(&b);
        seen_first = seen_first == 0 && fr_field_service_get(b.service, first) != NULL ? t : seen_first;
        seen_second = seen_second == 0 && fr_field_service_get(b.service, second) != NULL ? t : seen_second;
    }
    assert_int_equal(seen_first, 3);  /* ends in tick 1, seen two later */
    assert_int_equal(seen_second, 4); /* 557,056 cells end in tick 2 */
    close_bench(&b);
}

static void test_equal_requests_share(void **state)
{
    (void)state;
    bench b = open_bench(open_map(40, 30), FR_FIELD_BYTES);
    fr_field_id a = request(&b, 5, 5), c = request(&b, 5, 5), other = request(&b, 6, 5);
    assert_memory_equal(&a, &c, sizeof a);
    assert_true(a.index1 != other.index1);
    for (int i = 0; i < 3; i++) {
        tick(&b);
    }
    fr_field_service_release(b.service, a);
    assert_non_null(fr_field_service_get(b.service, c));
    fr_field_service_release(b.service, c);
    /* Nobody holds it: the cache does, and serves the next request at once. */
    fr_field_id again = request(&b, 5, 5);
    assert_non_null(fr_field_service_get(b.service, again));
    fr_field_service_stats stats = fr_field_service_statistics(b.service);
    assert_int_equal(stats.built, 2);
    assert_int_equal(stats.cache_hits, 2);
    close_bench(&b);
}

static void test_goals_make_the_request(void **state)
{
    (void)state;
    bench b = open_bench(open_map(40, 30), FR_FIELD_BYTES);
    fr_goal goals[] = {{{5, 5}, 0}, {{30, 5}, 0}};
    fr_field_request two = {.goals = goals, .goal_count = 2, .view = FR_CLASS_FOOT};
    fr_field_id id = fr_field_service_request(b.service, &two);
    fr_field_id one = request(&b, 5, 5);
    assert_true(id.index1 != one.index1);
    goals[1].price = 700; /* entering there costs ten steps */
    fr_field_id priced = fr_field_service_request(b.service, &two);
    assert_true(priced.index1 != id.index1);
    for (int i = 0; i < 3; i++) {
        tick(&b);
    }
    assert_int_equal(value(&b, id, 29, 5), FR_STEP_STRAIGHT);
    assert_int_equal(value(&b, priced, 29, 5), 700 + FR_STEP_STRAIGHT);
    assert_int_equal(value(&b, priced, 5, 5), 0);
    close_bench(&b);
}

/* P7: a corridor with two ways; the nearer one is closed. The old field serves until the new one is due. */
static void test_closing_a_way_rebuilds(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "###########", "#.........#", "#.#######.#", "#.#######.#",
        "#s.......g#", "#.#######.#", "###########", NULL,
    };
    bench b = open_bench(map_from_picture(rows), FR_FIELD_BYTES);
    fr_field_id id = request(&b, 9, 4);
    for (int i = 0; i < 3; i++) {
        tick(&b);
    }
    assert_int_equal(value(&b, id, 1, 4), 8 * FR_STEP_STRAIGHT);
    edit(&b, (fr_rect){5, 4, 1, 1}, FR_COST_WALL);
    assert_int_equal(value(&b, id, 1, 4), 8 * FR_STEP_STRAIGHT); /* stale, but complete */
    tick(&b);
    tick(&b);
    assert_int_equal(value(&b, id, 1, 4), 8 * FR_STEP_STRAIGHT);
    tick(&b);
    assert_int_equal(value(&b, id, 1, 4), 14 * FR_STEP_STRAIGHT);
    assert_int_equal(value(&b, id, 5, 4), FR_UNREACHED);
    close_bench(&b);
}

/* P8: the change lies at the far end of the field, 100 cells from the goal; placed, removed, placed as dear
 * ground, removed: all four are followed. */
static void test_far_changes_count(void **state)
{
    (void)state;
    bench b = open_bench(open_map(128, 3), FR_FIELD_BYTES);
    fr_field_id id = request(&b, 2, 1);
    for (int i = 0; i < 3; i++) {
        tick(&b);
    }
    const uint32_t plain = 100 * FR_STEP_STRAIGHT;
    assert_int_equal(value(&b, id, 102, 1), plain);
    static const struct {
        uint8_t cost;
        uint32_t expected;
    } steps[] = {
        {255, FR_UNREACHED},
        {0, 100 * FR_STEP_STRAIGHT},
        {9, 108 * FR_STEP_STRAIGHT},
        {0, 100 * FR_STEP_STRAIGHT},
    };
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        edit(&b, (fr_rect){100, 0, 1, 3}, steps[s].cost);
        for (int i = 0; i < 3; i++) {
            tick(&b);
        }
        assert_int_equal(value(&b, id, 102, 1), steps[s].expected);
    }
    close_bench(&b);
}

static void test_change_out_of_reach_costs_nothing(void **state)
{
    (void)state;
    static const char *const rows[] = {"..g..#.....", ".....#.....", ".....#.....", NULL};
    bench b = open_bench(map_from_picture(rows), FR_FIELD_BYTES);
    fr_field_id id = request(&b, 2, 0);
    for (int i = 0; i < 3; i++) {
        tick(&b);
    }
    edit(&b, (fr_rect){8, 1, 1, 1}, FR_COST_WALL); /* in the other room */
    for (int i = 0; i < 4; i++) {
        tick(&b);
    }
    assert_int_equal(fr_field_service_statistics(b.service).built, 1);
    edit(&b, (fr_rect){5, 1, 1, 1}, 1); /* a door in the wall between */
    for (int i = 0; i < 4; i++) {
        tick(&b);
    }
    assert_int_equal(fr_field_service_statistics(b.service).built, 2);
    assert_true(value(&b, id, 8, 0) != FR_UNREACHED);
    close_bench(&b);
}

/* Changes at every tick: rebuilds must finish all the same, and the last state must win in the end. */
static void test_steady_changes_do_not_starve(void **state)
{
    (void)state;
    bench b = open_bench(open_map(64, 32), FR_FIELD_BYTES);
    fr_field_id id = request(&b, 2, 2);
    for (int i = 0; i < 60; i++) {
        edit(&b, (fr_rect){30, 0, 1, 32}, i % 2 == 0 ? 5 : 7);
        tick(&b);
    }
    assert_true(fr_field_service_statistics(b.service).built >= 15);
    edit(&b, (fr_rect){30, 0, 1, 32}, 3);
    for (int i = 0; i < 6; i++) {
        tick(&b);
    }
    assert_int_equal(value(&b, id, 32, 2), (29 + 3) * FR_STEP_STRAIGHT);
    close_bench(&b);
}

static void test_released_requests_leave_the_queue(void **state)
{
    (void)state;
    bench b = open_bench(open_map(520, 500), FR_FIELD_BYTES);
    fr_field_id ids[20];
    for (int i = 0; i < 20; i++) {
        ids[i] = request(&b, 10 + i, 10);
    }
    tick(&b);
    for (int i = 1; i < 20; i++) {
        fr_field_service_release(b.service, ids[i]);
    }
    for (int i = 0; i < 10; i++) {
        tick(&b);
    }
    assert_true(fr_field_service_statistics(b.service).built <= 2);
    assert_non_null(fr_field_service_get(b.service, ids[0]));
    assert_null(fr_field_service_get(b.service, ids[10]));
    close_bench(&b);
}

/* Room for two fields only: the cached one goes, those in use stay, the third in use is denied until one is
 * free. */
static void test_budget(void **state)
{
    (void)state;
    const size_t block_bytes = sizeof(fr_field_block);
    bench b = open_bench(open_map(64, 64), 2 * 4 * block_bytes + block_bytes);
    fr_field_id first = request(&b, 1, 1), second = request(&b, 60, 1);
    for (int i = 0; i < 3; i++) {
        tick(&b);
    }
    assert_non_null(fr_field_service_get(b.service, second));
    fr_field_id third = request(&b, 1, 60);
    for (int i = 0; i < 5; i++) {
        tick(&b);
    }
    assert_null(fr_field_service_get(b.service, third));
    assert_true(fr_field_service_statistics(b.service).denied >= 1);
    fr_field_service_release(b.service, first);
    for (int i = 0; i < 20; i++) {
        tick(&b);
    }
    assert_non_null(fr_field_service_get(b.service, third));
    assert_non_null(fr_field_service_get(b.service, second));
    assert_null(fr_field_service_get(b.service, first)); /* evicted, and its id is stale */
    assert_int_equal(fr_field_service_statistics(b.service).evictions, 1);
    close_bench(&b);
}

/* Saved in mid-build: what is seen when does not change. */
static void test_save_and_load(void **state)
{
    (void)state;
    static const uint32_t cuts[] = {0, 2, 3, 6}; /* nothing begun, one build charged, both, an edit on top */
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        uint32_t cut = cuts[c];
        bench a = open_bench(open_map(520, 500), FR_FIELD_BYTES);
        fr_field_id first = request(&a, 5, 5), second = request(&a, 510, 490);
        for (uint32_t t = 0; t < cut; t++) {
            tick(&a);
            if (t == 5) {
                edit(&a, (fr_rect){300, 0, 1, 499}, FR_COST_WALL);
            }
        }
        fr_buffer saved = {0};
        fr_cost_save(a.cost, &saved);
        size_t cost_size = saved.size;
        fr_field_service_save(a.service, &saved);
        bench b = open_bench(open_map(520, 500), FR_FIELD_BYTES);
        fr_reader reader = {saved.data, saved.size, 0};
        assert_true(fr_cost_load(b.cost, &reader));
        assert_int_equal(reader.at, cost_size);
        assert_true(fr_field_service_load(b.service, &reader));
        assert_int_equal(reader.at, saved.size);
        b.tick = a.tick;
        for (int t = 0; t < 12; t++) {
            assert_true(fr_field_service_hash(a.service, 1) == fr_field_service_hash(b.service, 1));
            const fr_field *fa = fr_field_service_get(a.service, first);
            const fr_field *fb = fr_field_service_get(b.service, first);
            assert_int_equal(fa != NULL, fb != NULL);
            if (fa != NULL) {
                assert_int_equal(fr_field_value(fa, (fr_cell){400, 100}),
                                 fr_field_value(fb, (fr_cell){400, 100}));
            }
            assert_int_equal(fr_field_service_get(a.service, second) != NULL,
                             fr_field_service_get(b.service, second) != NULL);
            tick(&a);
            tick(&b);
        }
        /* Cut anywhere, it is refused. */
        for (size_t size = cost_size; cut == 2 && size < saved.size && size < cost_size + 200; size += 41) {
            bench damaged = open_bench(open_map(520, 500), FR_FIELD_BYTES);
            fr_reader part = {saved.data, size, cost_size};
            assert_false(fr_field_service_load(damaged.service, &part));
            close_bench(&damaged);
        }
        fr_buffer_fini(&saved);
        close_bench(&a);
        close_bench(&b);
    }
}

/* A build that has begun and is wanted by nobody any more: never seen, charged nothing further, and its
 * memory comes back. Whoever asks again in the meantime gets it all the same. */
static void test_cancelled_builds(void **state)
{
    (void)state;
    static const struct {
        int32_t begun; /* ticks before it is given up */
        bool again;
    } cases[] = {{0, false}, {1, false}, {2, false}, {1, true}, {2, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bench b = open_bench(open_map(500, 400), 8u << 20); /* room for several */
        fr_field_id given_up = request(&b, 5, 5), kept = request(&b, 450, 350);
        for (int32_t t = 0; t < cases[c].begun; t++) {
            tick(&b);
        }
        fr_field_service_release(b.service, given_up);
        fr_field_id again = cases[c].again ? request(&b, 5, 5) : (fr_field_id){0, 0};
        assert_int_equal(fr_field_service_statistics(b.service).cancelled, 1);
        int32_t ticks = 0;
        while (fr_field_service_get(b.service, kept) == NULL) {
            assert_true(++ticks < 10);
            tick(&b);
        }
        assert_null(cases[c].again ? NULL : fr_field_service_get(b.service, given_up));
        for (int32_t t = 0; t < 8; t++) {
            tick(&b);
        }
        fr_field_service_stats stats = fr_field_service_statistics(b.service);
        assert_int_equal(stats.built, cases[c].again ? 2 : 1);
        assert_int_equal(stats.live, cases[c].again ? 2 : 1);
        assert_int_equal(stats.pending, 0);
        if (cases[c].again) {
            assert_int_equal(value(&b, again, 8, 5), 3 * FR_STEP_STRAIGHT);
            fr_field_service_release(b.service, again);
        }
        fr_field_service_release(b.service, kept);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cancelled_builds),
        cmocka_unit_test(test_small_field_is_seen_after_two_ticks),
        cmocka_unit_test(test_work_is_charged_in_order),
        cmocka_unit_test(test_equal_requests_share),
        cmocka_unit_test(test_goals_make_the_request),
        cmocka_unit_test(test_closing_a_way_rebuilds),
        cmocka_unit_test(test_far_changes_count),
        cmocka_unit_test(test_change_out_of_reach_costs_nothing),
        cmocka_unit_test(test_steady_changes_do_not_starve),
        cmocka_unit_test(test_released_requests_leave_the_queue),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_save_and_load),
    };
    return cmocka_run_group_tests_name("service", tests, NULL, NULL);
}
