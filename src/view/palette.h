/* palette: every colour of the game, 0xAARRGGBB, and nothing else. Muted ground, strong units, near-black
 * panels; teams and heat maps stay apart for colour-blind eyes. */
#ifndef FR_VIEW_PALETTE_H
#define FR_VIEW_PALETTE_H

#include <stdint.h>

#define FR_COLOR_DEEP    0xFF2F5D73u
#define FR_COLOR_WATER   0xFF3D7389u
#define FR_COLOR_SHALLOW 0xFF6FA3A6u
#define FR_COLOR_SAND    0xFFD9C79Au
#define FR_COLOR_FOAM    0xFFD5E6E4u

#define FR_COLOR_GRASS       0xFF8FA86Au
#define FR_COLOR_GRASS_DARK  0xFF86A062u
#define FR_COLOR_GRASS_LIGHT 0xFF9AB174u
#define FR_COLOR_GRASS_DRY   0xFFA7B97Cu
#define FR_COLOR_TUFT        0xFF5F7F46u

#define FR_COLOR_ROAD     0xFFCDB889u
#define FR_COLOR_ROAD_RIM 0xFFB59E70u

#define FR_COLOR_TREE       0xFF4C6B45u
#define FR_COLOR_TREE_LIGHT 0xFF638457u
#define FR_COLOR_TREE_SHADE 0xFF3A5238u

#define FR_COLOR_SWAMP       0xFF737F58u
#define FR_COLOR_SWAMP_WET   0xFF5C7263u
#define FR_COLOR_SWAMP_REEDS 0xFF4D5F3Du

#define FR_COLOR_ROCK       0xFF6E6A66u
#define FR_COLOR_ROCK_LIGHT 0xFF8D8883u
#define FR_COLOR_ROCK_FACE  0xFF4B4845u

#define FR_COLOR_WALL       0xFF8A7A68u
#define FR_COLOR_WALL_LIGHT 0xFFB3A38Du
#define FR_COLOR_WALL_FACE  0xFF4A3E35u

#define FR_COLOR_PLANKS      0xFFB08F62u
#define FR_COLOR_PLANKS_DARK 0xFF7C6142u

#define FR_COLOR_PATCH      0xFF8A6D4Fu
#define FR_COLOR_OUTLINE    0xFF161C22u
#define FR_COLOR_BEYOND     0xFF1B2228u /* outside the map */
#define FR_COLOR_PANEL      0xFF12181Eu
#define FR_COLOR_PANEL_EDGE 0xFF46515Bu
#define FR_COLOR_TEXT       0xFFE9E6DCu
#define FR_COLOR_MUTED      0xFF9AA3A8u
#define FR_COLOR_BONE       0xFFF4F1E4u
#define FR_COLOR_WALL_TINT  0xFF7A1F2Bu
#define FR_COLOR_NO_WAY     0xFF39414Au /* ground from which no goal can be reached */
/* Blocks of a field. Blue, bone and orange tell apart for all eyes, by brightness too. */
#define FR_COLOR_SECTOR_BUILT 0xFF2A788Eu
#define FR_COLOR_SECTOR_FRESH FR_COLOR_BONE
#define FR_COLOR_SECTOR_STALE 0xFFE69F00u

#define FR_COLOR_WARNING 0xFFF0B36Eu
#define FR_COLOR_MISSING 0xFF9A4F86u /* tiles that no tileset defines */

#define FR_PANEL_ALPHA 219u /* 86 % of 255 */

typedef struct fr_team_color {
    uint32_t body, light;
} fr_team_color;

/* Colour of a team, taken modulo FR_TEAMS_MAX. Blue against orange first; the others differ in brightness too
 * (after Okabe and Ito, "Color universal design", 2008). */
fr_team_color fr_palette_team(int team);

/* Viridis (van der Walt and Smith, 2015), t 0 (dark blue) .. 1 (yellow), clamped; opaque. */
uint32_t fr_palette_viridis(float t);

#endif
