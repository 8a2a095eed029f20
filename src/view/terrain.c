#include "view/terrain.h"

#include "view/palette.h"
#include "view/pixel.h"
#include "view/scenery.h"

#define BIT(kind) (1u << FR_TERRAIN_##kind)

/* Coats of the ground, bottom first. The deck of a bridge is painted later: below it the water goes on, and
 * it is no end of a road. */
static const fr_coat SHORES[] = {
    {.body = BIT(SAND) | BIT(SHALLOW) | BIT(WATER) | BIT(BRIDGE),
     .radius = 0.42f,
     .grow = 0.24f,
     .color = FR_COLOR_SAND,
     .alpha = 256},
    {.body = BIT(SHALLOW) | BIT(WATER) | BIT(BRIDGE),
     .radius = 0.42f,
     .grow = 0.15f,
     .color = FR_COLOR_SHALLOW,
     .alpha = 256},
    {.body = BIT(WATER) | BIT(BRIDGE),
     .radius = 0.42f,
     .grow = -0.08f,
     .color = FR_COLOR_WATER,
     .alpha = 256},
    {.body = FR_CELL_DEEP, .radius = 0.42f, .grow = 0.0f, .color = FR_COLOR_DEEP, .alpha = 256},
};

static const fr_coat SWAMP[] = {
    {.body = BIT(SWAMP),
     .radius = 0.45f,
     .grow = 0.12f,
     .color = FR_COLOR_SWAMP,
     .alpha = 256,
     .softness = 0.15f},
    {.body = BIT(SWAMP),
     .radius = 0.45f,
     .grow = -0.2f,
     .color = FR_COLOR_SWAMP_WET,
     .alpha = 110,
     .softness = 0.3f},
};

static const fr_coat ROADS[] = {
    {.body = BIT(ROAD),
     .joined = BIT(BRIDGE),
     .radius = 0.4f,
     .grow = 0.06f,
     .color = FR_COLOR_ROAD_RIM,
     .alpha = 256},
    {.body = BIT(ROAD),
     .joined = BIT(BRIDGE),
     .radius = 0.4f,
     .grow = -0.04f,
     .color = FR_COLOR_ROAD,
     .alpha = 256},
};

/* Side of the squares that hold one patch of meadow each (cells). */
#define PATCH_SPACING 9

/* Meadow colour at a corner of cells: large round patches, darker, lighter and drier, that fade into one
 * another. */
static uint32_t meadow_at(int32_t x, int32_t y)
{
    static const uint32_t tints[4] = {FR_COLOR_GRASS_DARK, FR_COLOR_GRASS_LIGHT, FR_COLOR_GRASS_DRY,
                                      FR_COLOR_GRASS_LIGHT};
    int32_t home_x = x / PATCH_SPACING, home_y = y / PATCH_SPACING;
    uint32_t color = FR_COLOR_GRASS;
    for (int k = 0; k < 9; k++) {
        int32_t patch_x = home_x + k % 3 - 1, patch_y = home_y + k / 3 - 1;
        uint32_t hash = fr_scenery_hash(patch_x, patch_y, 11);
        float radius = (0.55f + 0.45f * (float)(hash >> 24) / 255.0f) * PATCH_SPACING;
        float dx = (float)(x - patch_x * PATCH_SPACING) - (float)(hash & 0xffu) / 255.0f * PATCH_SPACING;
        float dy = (float)(y - patch_y * PATCH_SPACING) - (float)(hash >> 8 & 0xffu) / 255.0f * PATCH_SPACING;
        float fade = 1.0f - (dx * dx + dy * dy) / (radius * radius);
        if (fade > 0.0f) {
            color = fr_argb_mix(color, tints[hash >> 16 & 3u], (uint32_t)(fade * fade * 205.0f));
        }
    }
    return color;
}

static void paint_meadow_cell(fr_painter *painter, int32_t cx, int32_t cy, const uint32_t *north,
                              const uint32_t *south)
{
    const fr_raster *raster = &painter->raster;
    int x0 = fr_cell_edge_px(painter->zoom, cx), x1 = fr_cell_edge_px(painter->zoom, cx + 1);
    int y0 = fr_cell_edge_px(painter->zoom, cy), y1 = fr_cell_edge_px(painter->zoom, cy + 1);
    int left = x0 > raster->left ? x0 : raster->left, top = y0 > raster->top ? y0 : raster->top;
    int right = x1 < raster->left + raster->width ? x1 : raster->left + raster->width;
    int bottom = y1 < raster->top + raster->height ? y1 : raster->top + raster->height;
    /* Place within the cell, 0..256, at pixel centres: half a pixel's share, and one more for each pixel. */
    uint32_t across = 65536u / (uint32_t)(x1 - x0);
    for (int y = top; y < bottom; y++) {
        uint32_t down = (uint32_t)((2 * (y - y0) + 1) * 128 / (y1 - y0));
        uint32_t west = fr_argb_mix(north[0], south[0], down), east = fr_argb_mix(north[1], south[1], down);
        uint32_t *row = fr_raster_row(raster, y) - raster->left;
        uint32_t t = across / 2 + across * (uint32_t)(left - x0);
        for (int x = left; x < right; x++, t += across) {
            row[x] = fr_argb_mix(west, east, t >> 8);
        }
    }
}

static void paint_meadow(fr_painter *painter)
{
    fr_rect cells = painter->cells;
    uint32_t *north = painter->corners, *south = painter->corners + painter->corner_capacity;
    for (int32_t i = 0; i <= cells.width; i++) {
        south[i] = meadow_at(cells.x + i, cells.y);
    }
    for (int32_t y = cells.y; y < cells.y + cells.height; y++) {
        uint32_t *swap = north;
        north = south;
        south = swap;
        for (int32_t i = 0; i <= cells.width; i++) {
            south[i] = meadow_at(cells.x + i, y + 1);
        }
        for (int32_t i = 0; i < cells.width; i++) {
            paint_meadow_cell(painter, cells.x + i, y, north + i, south + i);
        }
    }
}

static void paint_art(fr_painter *painter)
{
    paint_meadow(painter);
    fr_scenery_tufts(painter);
    fr_painter_coats(painter, SHORES, sizeof SHORES / sizeof *SHORES);
    fr_scenery_strokes(painter);
    fr_painter_coats(painter, SWAMP, sizeof SWAMP / sizeof *SWAMP);
    fr_scenery_swamp(painter);
    fr_painter_coats(painter, ROADS, sizeof ROADS / sizeof *ROADS);
    fr_scenery_gravel(painter);
    fr_scenery_patches(painter);
    fr_scenery_bridges(painter);
    fr_scenery_rocks(painter);
    fr_scenery_walls(painter);
    fr_scenery_trees(painter);
}

static uint32_t kind_color(fr_terrain kind, uint32_t hash)
{
    switch (kind) {
    case FR_TERRAIN_WATER:
        return FR_COLOR_WATER;
    case FR_TERRAIN_SHALLOW:
        return FR_COLOR_SHALLOW;
    case FR_TERRAIN_SAND:
        return FR_COLOR_SAND;
    case FR_TERRAIN_FOREST:
        return fr_argb_mix(FR_COLOR_TREE, (hash & 1) != 0 ? FR_COLOR_TREE_LIGHT : FR_COLOR_TREE_SHADE,
                           hash >> 25);
    case FR_TERRAIN_ROCK:
        return fr_argb_mix(FR_COLOR_ROCK, FR_COLOR_ROCK_LIGHT, 128);
    case FR_TERRAIN_ROAD:
        return FR_COLOR_ROAD;
    case FR_TERRAIN_BRIDGE:
        return FR_COLOR_PLANKS;
    case FR_TERRAIN_SWAMP:
        return FR_COLOR_SWAMP;
    case FR_TERRAIN_WALL:
        return FR_COLOR_WALL_LIGHT;
    case FR_TERRAIN_GRASS:
    case FR_TERRAIN_COUNT:
        break;
    }
    return FR_COLOR_GRASS;
}

uint32_t fr_terrain_cell_color(const fr_terrain_art *art, int32_t x, int32_t y)
{
    fr_terrain kind = fr_land_kind(art->ground, x, y);
    uint32_t color;
    if (art->tiles != NULL && kind != FR_TERRAIN_WALL) {
        color = fr_tiles_cell_color(art->tiles, x, y, kind_color(kind, 0));
    } else if (kind == FR_TERRAIN_GRASS) {
        color = meadow_at(x, y);
    } else {
        color = kind_color(kind, fr_scenery_hash(x, y, 1));
    }
    return fr_land_patch(art->ground, x, y) == 0 ? color : fr_argb_mix(color, FR_COLOR_PATCH, 110);
}

void fr_terrain_paint(fr_terrain_art *art, double zoom, fr_raster raster)
{
    fr_painter *painter = &art->painter;
    fr_painter_begin(painter, art->ground, zoom, raster);
    if (art->tiles == NULL) {
        paint_art(painter);
        return;
    }
    fr_rect cells = painter->cells;
    for (int32_t y = cells.y; y < cells.y + cells.height; y++) {
        for (int32_t x = cells.x; x < cells.x + cells.width; x++) {
            fr_raster_box(&painter->raster, (float)fr_cell_edge_px(zoom, x), (float)fr_cell_edge_px(zoom, y),
                          (float)fr_cell_edge_px(zoom, x + 1), (float)fr_cell_edge_px(zoom, y + 1),
                          kind_color(fr_land_kind(art->ground, x, y), 0), 256);
        }
    }
    fr_tiles_paint(art->tiles, zoom, &painter->raster, cells);
    fr_scenery_patches(painter);
    fr_scenery_walls(painter);
}

void fr_terrain_art_init(fr_terrain_art *art, const fr_land *ground, fr_tiles *tiles)
{
    *art = (fr_terrain_art){.ground = ground, .tiles = tiles};
}

void fr_terrain_art_fini(fr_terrain_art *art)
{
    fr_painter_fini(&art->painter);
}
