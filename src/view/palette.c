#include "view/palette.h"

#include "base/limits.h"
#include "view/pixel.h"

static const fr_team_color TEAMS[FR_TEAMS_MAX] = {
    {0xFF2F78B7u, 0xFF6FB0E3u}, /* blue */
    {0xFFE2842Fu, 0xFFF6B877u}, /* orange */
    {0xFFEADB4Bu, 0xFFF9F2A5u}, /* yellow */
    {0xFFB35A94u, 0xFFE39CC9u}, /* mauve */
    {0xFF12907Au, 0xFF5FCDB6u}, /* sea green */
    {0xFFE9E6DCu, 0xFFFFFFFFu}, /* bone */
    {0xFFA63A26u, 0xFFDD7A60u}, /* brick */
    {0xFF4A4E8Cu, 0xFF8F94D6u}, /* indigo */
};

fr_team_color fr_palette_team(int team)
{
    return TEAMS[(unsigned)team % FR_TEAMS_MAX];
}

static const uint32_t VIRIDIS[] = {
    0xFF440154u, 0xFF481A6Cu, 0xFF472F7Du, 0xFF414487u, 0xFF39568Cu, 0xFF31688Eu, 0xFF2A788Eu, 0xFF23888Eu,
    0xFF1F988Bu, 0xFF22A884u, 0xFF35B779u, 0xFF54C568u, 0xFF7AD151u, 0xFFA5DB36u, 0xFFD2E21Bu, 0xFFFDE725u,
};

uint32_t fr_palette_viridis(float t)
{
    const int last = (int)(sizeof VIRIDIS / sizeof *VIRIDIS) - 1;
    if (!(t > 0.0f)) {
        return VIRIDIS[0];
    }
    if (t >= 1.0f) {
        return VIRIDIS[last];
    }
    float place = t * (float)last;
    int i = (int)place;
    return fr_argb_mix(VIRIDIS[i], VIRIDIS[i + 1], (uint32_t)((place - (float)i) * 256.0f));
}
