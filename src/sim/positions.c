/* positions: every unit of every tick as lines of text, so that others can judge a run. Numbers are written
 * by hand here: printf would take longer than the simulation. */
#include "sim/scorecard.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

/* Enough to find the 1/65536 of a cell again. */
#define DECIMALS       5
#define DECIMALS_SCALE 100000

/* Longest line without the group's name. */
#define LINE_BYTES 192

static char *put_text(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

static char *put_whole(char *at, uint64_t number, int least_digits)
{
    char digits[20];
    int count = 0;
    while (number > 0 || count < least_digits) {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    }
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

/* A number in 1 / DECIMALS_SCALE, without trailing zeros. */
static char *put_scaled(char *at, int64_t scaled)
{
    uint64_t size = (uint64_t)(scaled < 0 ? -scaled : scaled);
    if (scaled < 0) {
        *at++ = '-';
    }
    at = put_whole(at, size / DECIMALS_SCALE, 1);
    uint64_t fraction = size % DECIMALS_SCALE;
    if (fraction == 0) {
        return at;
    }
    *at++ = '.';
    at = put_whole(at, fraction, DECIMALS);
    while (at[-1] == '0') {
        at--;
    }
    return at;
}

static char *put_fixed(char *at, int32_t fixed)
{
    /* Rounded to nearest in whole numbers. */
    int64_t twice = (int64_t)fixed * DECIMALS_SCALE * 2 + (fixed < 0 ? -FR_POSITION_ONE : FR_POSITION_ONE);
    return put_scaled(at, twice / (2 * FR_POSITION_ONE));
}

static char *put_float(char *at, float number)
{
    return put_scaled(at, llround((double)number * DECIMALS_SCALE));
}

/* A name with a comma or quotes is quoted as spreadsheets do. */
static void append_name(fr_buffer *out, const char *name)
{
    if (strpbrk(name, ",\"\r\n") == NULL) {
        fr_buffer_append(out, name, strlen(name));
        return;
    }
    fr_buffer_append(out, "\"", 1);
    for (const char *c = name; *c != '\0'; c++) {
        fr_buffer_append(out, c, 1);
        if (*c == '"') {
            fr_buffer_append(out, c, 1);
        }
    }
    fr_buffer_append(out, "\"", 1);
}

/* Of the goals as asked, or of the area, the point nearest to the unit; but the goal that it was sent to, if
 * it was to one of them. */
static fr_position goal_of(const fr_snapshot *snapshot, int32_t unit)
{
    const fr_order_view *order = &snapshot->orders[snapshot->order[unit]];
    fr_position position = snapshot->position[unit];
    if (fr_snapshot_sent_to(snapshot, unit) >= 0) {
        return order->goals[fr_snapshot_sent_to(snapshot, unit)];
    }
    if (order->area.kind != FR_AREA_NONE) {
        return fr_area_nearest(&order->area, position);
    }
    fr_position best = order->goals[0];
    int64_t least = INT64_MAX;
    for (int32_t i = 0; i < order->goal_count; i++) {
        int64_t dx = (int64_t)order->goals[i].x - position.x, dy = (int64_t)order->goals[i].y - position.y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            best = order->goals[i];
        }
    }
    return best;
}

static void append_unit(const fr_snapshot *snapshot, int32_t i, fr_buffer *out)
{
    char line[LINE_BYTES], *at = line;
    at = put_whole(at, snapshot->tick, 1);
    *at++ = ',';
    at = put_whole(at, (uint64_t)i, 1);
    *at++ = ',';
    fr_buffer_append(out, line, (size_t)(at - line));
    append_name(out, snapshot->groups[snapshot->group[i]].name);
    at = line;
    *at++ = ',';
    at = put_fixed(at, snapshot->position[i].x);
    *at++ = ',';
    at = put_fixed(at, snapshot->position[i].y);
    *at++ = ',';
    at = put_float(at, snapshot->radius[i]);
    *at++ = ',';
    at = put_float(at, snapshot->speed[i]);
    *at++ = ',';
    bool has_goal = snapshot->order[i] != FR_NO_ORDER;
    if (has_goal) {
        fr_position goal = goal_of(snapshot, i);
        at = put_fixed(at, goal.x);
        *at++ = ',';
        at = put_fixed(at, goal.y);
        *at++ = ',';
    } else {
        *at++ = ',';
        *at++ = ',';
    }
    at = put_text(at, fr_unit_state_name((fr_unit_state)snapshot->state[i]));
    *at++ = '\n';
    FR_ASSERT(at - line <= LINE_BYTES);
    fr_buffer_append(out, line, (size_t)(at - line));
}

void fr_positions_write(const fr_snapshot *snapshot, fr_buffer *out)
{
    if (snapshot == NULL) {
        const char *header = "tick,id,group,x,y,radius,speed,goal_x,goal_y,state\n";
        fr_buffer_append(out, header, strlen(header));
        return;
    }
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] != FR_UNIT_GONE) {
            append_unit(snapshot, i, out);
        }
    }
}
