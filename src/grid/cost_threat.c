/* cost_threat: threats as a cause of costs: where they are, whom they concern, and what they add to a block.
 */
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "grid/cost_internal.h"

static const char *const names[FR_CAUTION_COUNT] = {"normal", "rush", "safe"};

const char *fr_caution_name(fr_caution caution)
{
    return (unsigned)caution < FR_CAUTION_COUNT ? names[caution] : NULL;
}

fr_caution fr_caution_from_name(const char *name)
{
    int caution = 0;
    while (caution < FR_CAUTION_COUNT && strcmp(names[caution], name) != 0) {
        caution++;
    }
    return (fr_caution)caution;
}

const fr_threat *fr_cost_threat(const fr_cost *cost, int32_t index)
{
    FR_ASSERT(index >= 0 && index < FR_THREATS_MAX);
    return cost->threats[index].cost > 0 ? &cost->threats[index] : NULL;
}

/* The cells that a threat may cover; a hair more does no harm. */
static fr_rect threat_rect(const fr_threat *threat)
{
    fr_cell low = {fr_cell_coordinate(threat->centre.x - threat->radius),
                   fr_cell_coordinate(threat->centre.y - threat->radius)};
    fr_cell high = {fr_cell_coordinate(threat->centre.x + threat->radius),
                    fr_cell_coordinate(threat->centre.y + threat->radius)};
    return (fr_rect){low.x, low.y, high.x - low.x + 1, high.y - low.y + 1};
}

bool fr_threat_is_sane(const fr_threat *threat)
{
    /* So far that neither a corner nor a squared distance leaves its type. */
    const int32_t far = FR_MAP_SIDE_MAX * FR_POSITION_ONE;
    return threat->radius > 0 && threat->radius <= far / 2 && threat->centre.x >= 0 &&
           threat->centre.x <= far && threat->centre.y >= 0 && threat->centre.y <= far && threat->cost >= 1 &&
           threat->cost < FR_COST_WALL && (threat->team < FR_TEAMS_MAX || threat->team == FR_TEAM_NONE);
}

void fr_cost_set_threat(fr_cost *cost, int32_t index, const fr_threat *threat)
{
    FR_ASSERT(index >= 0 && index < FR_THREATS_MAX && (threat == NULL || fr_threat_is_sane(threat)));
    fr_threat before = cost->threats[index];
    cost->threats[index] = threat != NULL ? *threat : (fr_threat){.cost = 0};
    cost->threat_limit = index >= cost->threat_limit ? index + 1 : cost->threat_limit;
    cost->minds_threats = true;
    cost->minds_teams |= threat != NULL && threat->team != FR_TEAM_NONE;
    if (before.cost > 0) {
        fr_cost_extras_changed(cost, threat_rect(&before));
    }
    if (threat != NULL) {
        fr_cost_extras_changed(cost, threat_rect(threat));
    }
}

void fr_cost_add_threats(const fr_cost *cost, const fr_cost_view_def *def, fr_rect rect, uint8_t *costs)
{
    for (int32_t t = 0; t < cost->threat_limit; t++) {
        const fr_threat *threat = &cost->threats[t];
        bool is_own = threat->team != FR_TEAM_NONE && threat->team == def->team;
        if (threat->cost == 0 || is_own || def->caution == FR_CAUTION_RUSH) {
            continue;
        }
        fr_rect near = fr_rect_intersect(rect, threat_rect(threat));
        int64_t reach = (int64_t)threat->radius * threat->radius;
        int more = def->caution == FR_CAUTION_SAFE ? FR_COST_WALL - 1 : threat->cost;
        for (int32_t y = near.y; y < near.y + near.height; y++) {
            for (int32_t x = near.x; x < near.x + near.width; x++) {
                fr_position centre = fr_cell_centre((fr_cell){x, y});
                int64_t dx = (int64_t)centre.x - threat->centre.x, dy = (int64_t)centre.y - threat->centre.y;
                uint8_t *at = &costs[fr_block_index((fr_cell){x, y})];
                if (dx * dx + dy * dy <= reach && *at != FR_COST_WALL) {
                    *at = fr_cost_sum(*at, more);
                }
            }
        }
    }
}

uint64_t fr_cost_threats_hash(const fr_cost *cost, uint64_t hash)
{
    for (int32_t t = 0; t < cost->threat_limit; t++) {
        const fr_threat *threat = &cost->threats[t];
        if (threat->cost > 0) {
            hash = fr_hash_u32(hash, (uint32_t)t);
            hash = fr_hash_u32(hash, (uint32_t)threat->centre.x);
            hash = fr_hash_u32(hash, (uint32_t)threat->centre.y);
            hash = fr_hash_u32(hash, (uint32_t)threat->radius);
            hash = fr_hash_u32(hash, threat->cost | (uint32_t)threat->team << 8);
        }
    }
    return hash;
}
