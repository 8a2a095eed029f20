/* movebench_manners: what a player feels in the first second, and how friends who stand about treat those who
 * pass: runs that need an eye of their own, since a report is about a run as a whole. */
#include "movebench.h"

#include "base/memory.h"
#include "base/rng.h"
#include "sim/world.h"

#define DIAMETER  ((double)(2.0f * FR_RADIUS_DEFAULT))
#define TOP_SPEED ((double)FR_SPEED_DEFAULT)

/* Open ground with units of the usual kind. */
typedef struct site {
    fr_map *map;
    fr_world *world;
    const fr_snapshot *now; /* changes with every tick */
    fr_rng rng;
    double shift_x, shift_y;
} site;

static site open_site(const fr_move_setup *setup, int32_t width, int32_t height, int32_t units)
{
    site s = {.map = fr_map_create("open", (fr_grid){width, height}), .rng = {(uint64_t)setup->start.seed}};
    fr_world_config config = fr_world_config_default();
    config.map = s.map;
    config.seed = (uint64_t)setup->start.seed;
    config.unit_capacity = units;
    config.mover = setup->mover;
    config.without = setup->without;
    s.world = fr_world_create(&config);
    s.now = fr_world_snapshot(s.world);
    s.shift_x = (double)setup->start.shift.x;
    s.shift_y = (double)setup->start.shift.y;
    fr_world_add_group(s.world, &(fr_group_def){.name = "units"});
    return s;
}

static void close_site(site *s)
{
    fr_world_destroy(s->world);
    fr_map_destroy(s->map);
}

/* A block of columns x rows units `pitch` cells apart, each up to `noise` cells off, with its middle at (x,
 * y).
 */
static void spawn_block(site *s, double x, double y, int columns, int rows, double pitch, double noise)
{
    for (int i = 0; i < columns * rows; i++) {
        double off_x = (2.0 * (double)fr_rng_unit(&s->rng) - 1.0) * noise;
        double off_y = (2.0 * (double)fr_rng_unit(&s->rng) - 1.0) * noise;
        fr_unit_def unit = {.position =
                                fr_position_at(x + (i % columns - 0.5 * (columns - 1)) * pitch + off_x,
                                               y + (i / columns - 0.5 * (rows - 1)) * pitch + off_y),
                            .radius = FR_RADIUS_DEFAULT,
                            .speed = FR_SPEED_DEFAULT};
        fr_world_spawn(s->world, &unit);
    }
    s->now = fr_world_snapshot(s->world);
}

static void order(site *s, int32_t first, int32_t count, double x, double y)
{
    uint32_t *units = fr_alloc((size_t)count, sizeof *units);
    for (int32_t i = 0; i < count; i++) {
        units[i] = (uint32_t)(first + i);
    }
    fr_position goal = fr_position_at(x, y);
    fr_command move = {
        .kind = FR_COMMAND_MOVE, .units = units, .unit_count = count, .goals = &goal, .goal_count = 1};
    fr_world_submit(s->world, &move);
    fr_free(units);
}

static void tick(site *s)
{
    fr_world_tick(s->world);
    s->now = fr_world_snapshot(s->world);
}

static double speed_of(const site *s, int32_t unit)
{
    fr_vec2 way = fr_position_delta(s->now->previous[unit], s->now->position[unit]);
    return (double)fr_vec2_length(way) * FR_TICK_HZ;
}

static double distance(fr_position a, fr_position b)
{
    return (double)fr_vec2_length(fr_position_delta(a, b));
}

/* --- how soon an order shows --------------------------------------------------------------------- */

enum { CROWD_COLUMNS = 40, CROWD_ROWS = 25, CROWD = CROWD_COLUMNS * CROWD_ROWS };

/* A thousand units on open ground are sent far away: seconds until 95 of 100 go at more than half speed. */
static void respond(const fr_move_setup *setup, double pitch, double noise, fr_move_values *values)
{
    enum { LIMIT_TICKS = 300 };
    site s = open_site(setup, 200, 100, CROWD);
    spawn_block(&s, 40.0 + s.shift_x, 50.0 + s.shift_y, CROWD_COLUMNS, CROWD_ROWS, pitch, noise);
    order(&s, 0, CROWD, 150.0, 50.0);
    values->units = CROWD;
    for (int32_t t = 1; t <= LIMIT_TICKS && isnan(values->of[FR_METRIC_RESPONSE]); t++) {
        int32_t fast = 0;
        tick(&s);
        for (int32_t i = 0; i < CROWD; i++) {
            fast += speed_of(&s, i) > 0.5 * TOP_SPEED;
        }
        if (fast >= CROWD * 95 / 100) {
            values->of[FR_METRIC_RESPONSE] = (double)t / FR_TICK_HZ;
        }
    }
    close_site(&s);
}

void fr_manners_response(const fr_move_setup *setup, fr_move_values *values)
{
    respond(setup, 1.4, 0.25, values);
}

/* As tight as a pack that has settled. */
void fr_manners_response_packed(const fr_move_setup *setup, fr_move_values *values)
{
    respond(setup, 1.06 * DIAMETER, 0.01, values);
}

/* The same order every third tick for two seconds, to a crowd that walks: the least mean speed meanwhile, as
 * a share of top speed. */
void fr_manners_spam(const fr_move_setup *setup, fr_move_values *values)
{
    enum { WALK_TICKS = 60, SPAM_TICKS = 60, SPAM_EVERY = 3 };
    site s = open_site(setup, 200, 100, CROWD);
    double least = 1.0;
    spawn_block(&s, 40.0 + s.shift_x, 50.0 + s.shift_y, CROWD_COLUMNS, CROWD_ROWS, 1.4, 0.25);
    values->units = CROWD;
    for (int32_t t = 0; t < WALK_TICKS + SPAM_TICKS; t++) {
        double sum = 0.0;
        if (t == 0 || (t >= WALK_TICKS && t % SPAM_EVERY == 0)) {
            order(&s, 0, CROWD, 150.0, 50.0);
        }
        tick(&s);
        for (int32_t i = 0; i < CROWD; i++) {
            sum += speed_of(&s, i);
        }
        double share = sum / (CROWD * TOP_SPEED);
        least = t >= WALK_TICKS && share < least ? share : least;
    }
    values->of[FR_METRIC_SPAM] = least;
    close_site(&s);
}

/* --- how friends give way ------------------------------------------------------------------------ */

/* A block of idle friends on the way of one unit, or of a column. */
enum { IDLE_SIDE = 10, IDLE = IDLE_SIDE * IDLE_SIDE, MOVERS_MAX = 20, PASS_TICKS = 1200 };
/* Cells between idle units: a unit fits between two of them if they make a little room. */
#define IDLE_PITCH 1.5
/* Having passed: nobody who walks is this near (cells) to a unit or its post; and time to return in. */
#define NEAR         1.2
#define RETURN_TICKS 60

typedef struct post {
    fr_position place;
    int32_t clear_since; /* the last tick when somebody who walks was near */
    double off, worst;   /* cells: displaced by now; after the time to return, at most */
    bool was_off;        /* by more than a quarter of a diameter */
} post;

static bool somebody_is_near(const site *s, int32_t idle, const post *p, int32_t movers)
{
    for (int32_t m = IDLE; m < IDLE + movers; m++) {
        if (s->now->state[m] == FR_UNIT_MOVING &&
            (distance(s->now->position[m], p->place) < NEAR ||
             distance(s->now->position[m], s->now->position[idle]) < NEAR)) {
            return true;
        }
    }
    return false;
}

static void watch_posts(const site *s, post *posts, int32_t movers, int32_t now)
{
    for (int32_t i = 0; i < IDLE; i++) {
        post *p = &posts[i];
        p->off = distance(s->now->position[i], p->place);
        p->was_off |= p->off > 0.25 * DIAMETER;
        if (somebody_is_near(s, i, p, movers)) {
            p->clear_since = now;
        } else if (p->was_off && now - p->clear_since >= RETURN_TICKS && p->off > p->worst) {
            p->worst = p->off;
        }
    }
}

/* Mean time (ticks) until the movers have come to rest beyond the block; `posts` null: without the block's
 * units, which are out of the way. */
static double pass(const fr_move_setup *setup, int32_t movers, post *posts)
{
    site s = open_site(setup, 80, 60, IDLE + MOVERS_MAX);
    double block_y = posts != NULL ? 30.0 : 10.0;
    int32_t rows = movers < 4 ? 1 : 4;
    double sum = 0.0;
    int32_t arrived = 0;
    bool is_there[MOVERS_MAX] = {false};
    spawn_block(&s, 40.0, block_y, IDLE_SIDE, IDLE_SIDE, IDLE_PITCH, 0.1);
    spawn_block(&s, 14.0 + s.shift_x, (posts != NULL ? 30.0 : 45.0) + s.shift_y, movers / rows, rows, 1.0,
                0.05);
    for (int32_t i = 0; i < IDLE && posts != NULL; i++) {
        posts[i] = (post){.place = s.now->position[i]};
    }
    order(&s, IDLE, movers, 66.0, posts != NULL ? 30.0 : 45.0);
    for (int32_t t = 1; t <= PASS_TICKS; t++) {
        tick(&s);
        for (int32_t m = 0; m < movers; m++) {
            if (!is_there[m] && s.now->state[IDLE + m] == FR_UNIT_ARRIVED) {
                is_there[m] = true;
                arrived++;
                sum += t;
            }
        }
        if (posts != NULL) {
            watch_posts(&s, posts, movers, t);
        }
    }
    close_site(&s);
    return arrived == movers ? sum / movers : FR_UNKNOWN;
}

static void give_way(const fr_move_setup *setup, int32_t movers, fr_move_values *values)
{
    post posts[IDLE];
    double with = pass(setup, movers, posts), without = pass(setup, movers, NULL), worst = 0.0;
    for (int i = 0; i < IDLE; i++) {
        worst = posts[i].worst > worst ? posts[i].worst : worst;
    }
    values->units = IDLE + movers;
    values->of[FR_METRIC_POST] = worst / DIAMETER;
    values->of[FR_METRIC_LOSS] = with / without - 1.0;
}

void fr_manners_give_way_one(const fr_move_setup *setup, fr_move_values *values)
{
    give_way(setup, 1, values);
}

void fr_manners_give_way_many(const fr_move_setup *setup, fr_move_values *values)
{
    give_way(setup, MOVERS_MAX, values);
}
