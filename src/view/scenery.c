#include "view/scenery.h"

#include "base/rng.h"
#include "view/palette.h"
#include "view/pixel.h"

#define BIT(kind) (1u << FR_TERRAIN_##kind)

/* Zoom below which what is strewn would be less than a pixel. */
#define STREWN_ZOOM 7.0

uint32_t fr_scenery_hash(int32_t x, int32_t y, uint32_t salt)
{
    uint64_t key = (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
    return (uint32_t)(fr_mix64(key + (uint64_t)salt * 0x9e3779b97f4a7c15u) >> 32);
}

/* Eight bits of a hash as 0..1. */
static float share(uint32_t hash, int byte)
{
    return (float)(hash >> (8 * byte) & 0xffu) / 255.0f;
}

/* A line between two points of the map (cells). */
static void line(fr_painter *painter, float x0, float y0, float x1, float y1, float width, uint32_t color,
                 uint32_t alpha)
{
    float s = painter->scale, width_px = width * s;
    if (width_px < 0.9f) {
        /* Thinner than a pixel: as wide as one, and fainter. */
        alpha = (uint32_t)((float)alpha * width_px / 0.9f);
        width_px = 0.9f;
    }
    fr_raster_line(&painter->raster, x0 * s, y0 * s, x1 * s, y1 * s, width_px, color, alpha);
}

/* Calls `paint` for the cells of a kind, and for those up to `reach` cells outside the rectangle. */
typedef void (*cell_fn)(fr_painter *painter, int32_t x, int32_t y, uint32_t hash);

static void for_cells(fr_painter *painter, unsigned kinds, int reach, uint32_t salt, cell_fn paint)
{
    fr_rect cells = painter->cells;
    for (int32_t y = cells.y - reach; y < cells.y + cells.height + reach; y++) {
        for (int32_t x = cells.x - reach; x < cells.x + cells.width + reach; x++) {
            if ((fr_painter_bits(painter, x, y) & kinds) != 0) {
                paint(painter, x, y, fr_scenery_hash(x, y, salt));
            }
        }
    }
}

static void paint_tuft(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    if ((hash & 0xffu) > 46) {
        return;
    }
    float x = (float)cx + 0.2f + 0.6f * share(hash, 1), y = (float)cy + 0.2f + 0.6f * share(hash, 2);
    float size = 0.07f + 0.05f * share(hash, 3);
    line(painter, x - size, y - size, x - 0.02f, y + size * 0.6f, 0.06f, FR_COLOR_TUFT, 130);
    line(painter, x + size, y - size * 0.8f, x + 0.02f, y + size * 0.6f, 0.06f, FR_COLOR_TUFT, 130);
}

void fr_scenery_tufts(fr_painter *painter)
{
    if (painter->zoom >= STREWN_ZOOM) {
        for_cells(painter, BIT(GRASS), 1, 21, paint_tuft);
    }
}

static void paint_stroke(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    if ((hash & 0xffu) > 52) {
        return;
    }
    float x = (float)cx + share(hash, 1) * 0.7f, y = (float)cy + 0.2f + share(hash, 2) * 0.6f;
    float length = 0.35f + 0.4f * share(hash, 3), bend = 0.05f;
    line(painter, x, y, x + length * 0.5f, y - bend + 0.08f, 0.06f, FR_COLOR_FOAM, 100);
    line(painter, x + length * 0.5f, y - bend + 0.08f, x + length, y + 0.02f, 0.06f, FR_COLOR_FOAM, 100);
}

void fr_scenery_strokes(fr_painter *painter)
{
    if (painter->zoom >= STREWN_ZOOM) {
        for_cells(painter, BIT(WATER) | BIT(SHALLOW), 1, 22, paint_stroke);
    }
}

static void paint_swamp(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    float s = painter->scale, x = (float)cx, y = (float)cy;
    if ((hash & 3u) == 0) {
        fr_raster_disc(&painter->raster, (x + 0.3f + 0.4f * share(hash, 1)) * s, (y + 0.5f) * s, 0.26f * s,
                       0.08f * s + 1.0f, FR_COLOR_WATER, 120);
    }
    for (int i = 0; i < 3; i++) {
        float at_x = x + 0.15f + 0.3f * (float)i + 0.1f * share(hash, i),
              at_y = y + 0.35f + 0.5f * share(hash, 3 - i);
        line(painter, at_x, at_y, at_x + 0.06f, at_y - 0.22f, 0.05f, FR_COLOR_SWAMP_REEDS, 170);
    }
}

void fr_scenery_swamp(fr_painter *painter)
{
    if (painter->zoom >= STREWN_ZOOM) {
        for_cells(painter, BIT(SWAMP), 1, 23, paint_swamp);
    }
}

static void paint_gravel(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    float s = painter->scale;
    for (int i = 0; i < 3; i++) {
        float x = (float)cx + 0.12f + 0.76f * share(hash, i),
              y = (float)cy + 0.12f + 0.76f * share(hash ^ 0x5au, i + 1);
        fr_raster_disc(&painter->raster, x * s, y * s, 0.035f * s, 1.0f, FR_COLOR_ROAD_RIM, 150);
    }
}

void fr_scenery_gravel(fr_painter *painter)
{
    if (painter->zoom >= STREWN_ZOOM) {
        for_cells(painter, BIT(ROAD), 0, 24, paint_gravel);
    }
}

/* Dear ground made by an edit: hatched, the denser the dearer. */
static void paint_patch_hatch(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    (void)hash;
    int lines = fr_land_patch(painter->ground, cx, cy) >= 16 ? 3 : 2;
    float x = (float)cx, y = (float)cy, gap = 1.0f / (float)lines;
    for (int i = 0; i < lines; i++) {
        float at = ((float)i + 0.5f) * gap;
        line(painter, x, y + at, x + at, y, 0.05f, FR_COLOR_WALL_FACE, 90);
        line(painter, x + at, y + 1.0f, x + 1.0f, y + at, 0.05f, FR_COLOR_WALL_FACE, 90);
    }
}

void fr_scenery_patches(fr_painter *painter)
{
    static const fr_coat tint = {
        .body = FR_CELL_PATCH, .radius = 0.3f, .grow = 0.0f, .color = FR_COLOR_PATCH, .alpha = 110};
    fr_painter_coat(painter, &tint);
    if (painter->zoom >= STREWN_ZOOM) {
        for_cells(painter, FR_CELL_PATCH, 0, 0, paint_patch_hatch);
    }
}

/* Cells of bridge in a row from (x, y) on, and what comes after them. */
static int bridge_run(const fr_land *ground, int32_t x, int32_t y, int dx, int dy, fr_terrain *end)
{
    int run = 0;
    while (run < FR_BRIDGE_RUN_MAX && fr_land_kind(ground, x + dx, y + dy) == FR_TERRAIN_BRIDGE &&
           fr_grid_contains(ground->grid, (fr_cell){x + dx, y + dy})) {
        x += dx;
        y += dy;
        run++;
    }
    *end = fr_land_kind(ground, x + dx, y + dy);
    return run;
}

/* Which way a bridge leads: from land to land; where that does not decide, along its longer side. */
static bool bridge_leads_down(const fr_land *ground, int32_t x, int32_t y)
{
    fr_terrain end[4];
    int across = bridge_run(ground, x, y, -1, 0, &end[0]) + bridge_run(ground, x, y, 1, 0, &end[1]);
    int down = bridge_run(ground, x, y, 0, -1, &end[2]) + bridge_run(ground, x, y, 0, 1, &end[3]);
    int land_across = (end[0] != FR_TERRAIN_WATER) + (end[1] != FR_TERRAIN_WATER);
    int land_down = (end[2] != FR_TERRAIN_WATER) + (end[3] != FR_TERRAIN_WATER);
    return land_across == land_down ? down > across : land_down > land_across;
}

static void box(fr_painter *painter, float x0, float y0, float x1, float y1, uint32_t color, uint32_t alpha)
{
    float s = painter->scale;
    fr_raster_box(&painter->raster, roundf(x0 * s), roundf(y0 * s), roundf(x1 * s), roundf(y1 * s), color,
                  alpha);
}

static bool is_bridge(const fr_painter *painter, int32_t x, int32_t y)
{
    return (fr_painter_bits(painter, x, y) & BIT(BRIDGE)) != 0;
}

/* Deck and rails are laid in the bridge's own frame: u along, v across. Turns a box of that frame into one of
 * the map. */
static void deck_box(fr_painter *painter, bool down, float u0, float v0, float u1, float v1, uint32_t color,
                     uint32_t alpha)
{
    if (down) {
        box(painter, v0, u0, v1, u1, color, alpha);
    } else {
        box(painter, u0, v0, u1, v1, color, alpha);
    }
}

static void paint_bridge_shadow(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    (void)hash;
    box(painter, (float)cx + 0.1f, (float)cy + 0.25f, (float)cx + 1.12f, (float)cy + 1.25f, FR_COLOR_OUTLINE,
        80);
}

static void paint_deck(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    bool down = bridge_leads_down(painter->ground, cx, cy);
    bool before = is_bridge(painter, down ? cx : cx - 1, down ? cy - 1 : cy);
    bool after = is_bridge(painter, down ? cx : cx + 1, down ? cy + 1 : cy);
    bool near = is_bridge(painter, down ? cx - 1 : cx, down ? cy : cy - 1);
    bool far = is_bridge(painter, down ? cx + 1 : cx, down ? cy : cy + 1);
    float u = (float)(down ? cy : cx), v = (float)(down ? cx : cy);
    /* The ends lie on the banks, so that no water shows between deck and road. */
    float u0 = before ? u : u - 0.24f, u1 = after ? u + 1.0f : u + 1.24f;
    deck_box(painter, down, u0, v, u1, v + 1.0f, FR_COLOR_PLANKS, 256);
    const int planks = 3;
    for (int i = 0; i < planks; i++) {
        float at = u + (float)i / (float)planks, gap = 0.055f;
        deck_box(painter, down, at, v, at + gap, v + 1.0f, FR_COLOR_PLANKS_DARK, 170);
        if ((hash >> (4 * i) & 3u) == 0) {
            deck_box(painter, down, at + gap, v, at + 1.0f / (float)planks, v + 1.0f, FR_COLOR_PLANKS_DARK,
                     34);
        }
    }
    float rail = 0.16f;
    if (!near) {
        deck_box(painter, down, u0, v - 0.02f, u1, v + rail, FR_COLOR_PLANKS_DARK, 256);
        deck_box(painter, down, u0, v - 0.02f, u1, v + rail * 0.35f, FR_COLOR_PLANKS, 90);
    }
    if (!far) {
        deck_box(painter, down, u0, v + 1.0f - rail, u1, v + 1.02f, FR_COLOR_PLANKS_DARK, 256);
        deck_box(painter, down, u0, v + 1.0f - rail, u1, v + 1.0f - rail * 0.65f, FR_COLOR_PLANKS, 90);
    }
}

void fr_scenery_bridges(fr_painter *painter)
{
    for (int pass = 0; pass < 2; pass++) {
        for_cells(painter, BIT(BRIDGE), 1, 25, pass == 0 ? paint_bridge_shadow : paint_deck);
    }
}

static void paint_crack(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    if ((hash & 0xffu) > 150) {
        return;
    }
    float x = (float)cx + 0.2f + 0.5f * share(hash, 1), y = (float)cy - 0.05f + 0.5f * share(hash, 2);
    float dx = share(hash, 3) * 0.4f - 0.2f, dy = 0.18f - fabsf(dx) * 0.6f;
    line(painter, x, y, x + dx, y + dy, 0.05f, FR_COLOR_ROCK_FACE, 120);
    if ((hash & 1u) != 0) {
        line(painter, x + dx, y + dy, x + dx + 0.14f, y + dy * 0.4f, 0.05f, FR_COLOR_ROCK_FACE, 100);
    }
}

void fr_scenery_rocks(fr_painter *painter)
{
    static const fr_coat block[] = {
        {.body = BIT(ROCK),
         .radius = 0.3f,
         .grow = 0.06f,
         .color = FR_COLOR_OUTLINE,
         .alpha = 90,
         .softness = 0.3f,
         .dx = 0.14f,
         .dy = 0.22f},
        {.body = BIT(ROCK),
         .radius = 0.3f,
         .grow = 0.02f,
         .color = FR_COLOR_ROCK_FACE,
         .alpha = 256,
         .dy = 0.02f},
        {.body = BIT(ROCK), .radius = 0.3f, .grow = 0.02f, .color = FR_COLOR_ROCK, .alpha = 256, .dy = -0.2f},
        {.body = BIT(ROCK),
         .radius = 0.3f,
         .grow = -0.09f,
         .color = FR_COLOR_ROCK_LIGHT,
         .alpha = 256,
         .dy = -0.22f},
    };
    fr_painter_coats(painter, block, sizeof block / sizeof *block);
    if (painter->zoom >= STREWN_ZOOM) {
        for_cells(painter, BIT(ROCK), 1, 26, paint_crack);
    }
}

/* Joints between the stones of a built wall: two courses a cell, laid in bond. */
static void paint_joints(fr_painter *painter, int32_t cx, int32_t cy, uint32_t hash)
{
    float x = (float)cx, y = (float)cy - 0.2f, width = 0.055f;
    for (int course = 0; course < 2; course++) {
        float top = y + 0.5f * (float)course, at = course == 0 ? 0.02f : 0.52f;
        line(painter, x + 0.04f, top + 0.5f, x + 0.96f, top + 0.5f, width, FR_COLOR_WALL_FACE, 150);
        line(painter, x + at, top + 0.06f, x + at, top + 0.46f, width, FR_COLOR_WALL_FACE, 150);
        if ((hash >> course & 1u) != 0) {
            box(painter, x + at + 0.04f, top + 0.05f, x + fminf(at + 0.48f, 0.97f), top + 0.47f,
                FR_COLOR_WALL, 110);
        }
    }
}

void fr_scenery_walls(fr_painter *painter)
{
    static const fr_coat block[] = {
        {.body = BIT(WALL),
         .radius = 0.1f,
         .grow = 0.06f,
         .color = FR_COLOR_OUTLINE,
         .alpha = 100,
         .softness = 0.3f,
         .dx = 0.16f,
         .dy = 0.24f},
        {.body = BIT(WALL),
         .radius = 0.1f,
         .grow = 0.04f,
         .color = FR_COLOR_WALL_FACE,
         .alpha = 256,
         .dy = 0.0f},
        {.body = BIT(WALL), .radius = 0.1f, .grow = 0.04f, .color = FR_COLOR_WALL, .alpha = 256, .dy = -0.2f},
        {.body = BIT(WALL),
         .radius = 0.1f,
         .grow = -0.03f,
         .color = FR_COLOR_WALL_LIGHT,
         .alpha = 256,
         .dy = -0.2f},
    };
    fr_painter_coats(painter, block, sizeof block / sizeof *block);
    if (painter->zoom >= STREWN_ZOOM) {
        for_cells(painter, BIT(WALL), 1, 27, paint_joints);
    }
}
