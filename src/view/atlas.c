#include "view/atlas.h"

#include <math.h>

#include "base/limits.h"
#include "base/memory.h"
#include "view/palette.h"

#define LOOKS (FR_TEAMS_MAX * 2)

/* Looks that a sheet has room for at first: two teams, selected and not. */
#define LOOKS_AT_FIRST 4

static const float TWO_PI = 6.2831853f;

/* All looks of one size on one picture, FR_FACINGS sprites a look. */
typedef struct sprite_sheet {
    fr_picture *picture;
    float radius;      /* of a unit, pixels */
    int side;          /* of a sprite, pixels; even */
    int per_line;      /* sprites */
    int capacity;      /* looks */
    int used;          /* looks baked */
    int8_t row[LOOKS]; /* place of a look, -1 = not baked */
} sprite_sheet;

struct fr_atlas {
    fr_canvas *canvas;
    sprite_sheet sheets[FR_SPRITE_SIZES];
    uint32_t *scratch; /* pixels of one sprite */
    size_t scratch_capacity;
};

fr_atlas *fr_atlas_create(fr_canvas *canvas)
{
    fr_atlas *atlas = fr_alloc(1, sizeof *atlas);
    atlas->canvas = canvas;
    return atlas;
}

void fr_atlas_flush(fr_atlas *atlas)
{
    for (int i = 0; i < FR_SPRITE_SIZES; i++) {
        fr_picture_destroy(atlas->sheets[i].picture);
        atlas->sheets[i] = (sprite_sheet){0};
    }
}

void fr_atlas_destroy(fr_atlas *atlas)
{
    if (atlas != NULL) {
        fr_atlas_flush(atlas);
        fr_free(atlas->scratch);
        fr_free(atlas);
    }
}

int fr_atlas_size(float radius_px)
{
    int size = (int)(logf(fmaxf(radius_px, FR_SPRITE_RADIUS_MIN) / FR_SPRITE_RADIUS_MIN) /
                         logf(FR_SPRITE_RADIUS_STEP) +
                     0.5f);
    return size < FR_SPRITE_SIZES ? size : FR_SPRITE_SIZES - 1;
}

float fr_atlas_radius(int size)
{
    return FR_SPRITE_RADIUS_MIN * powf(FR_SPRITE_RADIUS_STEP, (float)size);
}

int fr_facing_of(fr_vec2 direction)
{
    if (direction.x == 0.0f && direction.y == 0.0f) {
        return 0;
    }
    /* Tangents of the borders between facings: 11.25, 33.75, 56.25 and 78.75 degrees. */
    float across = fabsf(direction.x), down = fabsf(direction.y);
    int step = (down > 0.198912f * across) + (down > 0.668179f * across) + (down > 1.496606f * across) +
               (down > 5.027339f * across);
    int turn = direction.x < 0.0f ? FR_FACINGS / 2 - step : step;
    return (direction.y < 0.0f ? FR_FACINGS - turn : turn) & (FR_FACINGS - 1);
}

/* A colour being built up from layers, premultiplied. */
typedef struct blend {
    float red, green, blue, alpha;
} blend;

static void lay(blend *below, uint32_t color, float alpha)
{
    float rest = 1.0f - alpha;
    below->red = below->red * rest + (float)(color >> 16 & 0xffu) * alpha;
    below->green = below->green * rest + (float)(color >> 8 & 0xffu) * alpha;
    below->blue = below->blue * rest + (float)(color & 0xffu) * alpha;
    below->alpha = below->alpha * rest + alpha;
}

static uint32_t packed(blend color)
{
    /* What is nearly nothing or nearly whole is made so: the software renderer skips the one and copies the
     * other, and blends the rest at five times the price. */
    if (color.alpha < 0.06f) {
        return 0;
    }
    float scale = 1.0f / color.alpha, alpha = color.alpha > 0.93f ? 1.0f : color.alpha;
    return (uint32_t)(alpha * 255.0f + 0.5f) << 24 | (uint32_t)(color.red * scale + 0.5f) << 16 |
           (uint32_t)(color.green * scale + 0.5f) << 8 | (uint32_t)(color.blue * scale + 0.5f);
}

static float inside(float distance_px)
{
    return fminf(fmaxf(0.5f - distance_px, 0.0f), 1.0f);
}

static float round_gap(float x, float y, float centre_x, float centre_y, float radius)
{
    float dx = x - centre_x, dy = y - centre_y;
    return sqrtf(dx * dx + dy * dy) - radius;
}

/* Distance from the outline of a body of radius 1 that faces along x: two arcs that meet at the nose, a
 * hollow at the back. */
static float body_gap(float x, float y)
{
    float arcs = round_gap(x, fabsf(y), -0.2f, -0.6f, 1.3956f);
    float back = fmaxf(-0.72f - x, -round_gap(x, y, -1.42f, 0.0f, 0.95f));
    return fmaxf(arcs, back);
}

/* Measures of a sprite for a unit of radius r pixels. */
#define RING_RADIUS(r)     (1.2f * (r) + 0.4f)
#define RING_WIDTH(r)      fmaxf(1.0f, 0.11f * (r))
#define SHADOW_SOFTNESS(r) fmaxf(0.42f * (r), 1.2f)
#define DISC_RADIUS_MIN    5.5f /* below, the faint disc of a selected unit is all but invisible, and dear */
#define OUTLINE_WIDTH(r)   fminf(fmaxf(0.15f * (r), 0.9f), 3.0f)

/* Pixels from the centre that a sprite covers: to the right and down, where the shadow falls, or else to the
 * left and up. What is empty need not be blended. */
static int sprite_extent(float r, bool selected, bool shadow_side)
{
    float extent = 1.06f * r + 0.35f * OUTLINE_WIDTH(r) + 0.5f;
    if (shadow_side) {
        extent = fmaxf(extent, 1.1f * r + 0.5f * SHADOW_SOFTNESS(r));
    }
    if (selected) {
        extent = fmaxf(extent, RING_RADIUS(r) + 0.5f * RING_WIDTH(r) + 0.5f);
    }
    return (int)ceilf(extent);
}

/* One pixel of a sprite at (x, y) pixels from the centre. */
static uint32_t sprite_pixel(float x, float y, float r, fr_team_color team, bool selected, fr_vec2 forward)
{
    blend color = {0};
    float gap = sqrtf(x * x + y * y);
    float ring = RING_RADIUS(r), ring_width = RING_WIDTH(r);
    if (selected && r >= DISC_RADIUS_MIN) {
        lay(&color, FR_COLOR_BONE, 0.17f * inside(gap - ring));
    }
    float shadow = round_gap(x, y, 0.19f * r, 0.28f * r, 0.82f * r) / SHADOW_SOFTNESS(r);
    lay(&color, FR_COLOR_OUTLINE, 0.42f * inside(shadow));
    if (selected) {
        lay(&color, FR_COLOR_BONE, 0.72f * inside(fabsf(gap - ring) - 0.5f * ring_width));
    }
    float u = (x * forward.x + y * forward.y) / r, v = (y * forward.x - x * forward.y) / r;
    float edge = body_gap(u, v) * r;
    float line = OUTLINE_WIDTH(r);
    lay(&color, FR_COLOR_OUTLINE, inside(edge - 0.35f * line));
    float body = inside(edge + 0.65f * line);
    lay(&color, team.body, body);
    float glint = round_gap(u, v, 0.28f, 0.0f, 0.32f) * r;
    lay(&color, team.light, body * inside(glint));
    return packed(color);
}

static fr_rect sprite_place(const sprite_sheet *sheet, int row, int facing)
{
    int slot = row * FR_FACINGS + facing;
    return (fr_rect){slot % sheet->per_line * sheet->side, slot / sheet->per_line * sheet->side, sheet->side,
                     sheet->side};
}

static void bake_look(fr_atlas *atlas, const sprite_sheet *sheet, int size, int look)
{
    float r = fr_atlas_radius(size);
    int side = sheet->side;
    size_t pixels = (size_t)side * (size_t)side;
    if (pixels > atlas->scratch_capacity) {
        atlas->scratch_capacity = pixels;
        atlas->scratch = fr_realloc(atlas->scratch, pixels, sizeof *atlas->scratch);
    }
    fr_team_color team = fr_palette_team(look / 2);
    for (int facing = 0; facing < FR_FACINGS; facing++) {
        float turn = TWO_PI * (float)facing / (float)FR_FACINGS;
        fr_vec2 forward = {cosf(turn), sinf(turn)};
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                float dx = (float)x + 0.5f - 0.5f * (float)side, dy = (float)y + 0.5f - 0.5f * (float)side;
                atlas->scratch[y * side + x] = sprite_pixel(dx, dy, r, team, look % 2 != 0, forward);
            }
        }
        fr_picture_update(sheet->picture, sprite_place(sheet, sheet->row[look], facing), atlas->scratch,
                          side);
    }
}

/* Makes the sheet's picture for so many looks; sides are powers of two (render_sdl.c says why). */
static void make_picture(fr_atlas *atlas, sprite_sheet *sheet, int size, int capacity)
{
    sheet->side = 2 * sprite_extent(fr_atlas_radius(size), true, true);
    sheet->capacity = capacity;
    int side = 64;
    while ((side / sheet->side) * (side / sheet->side) < capacity * FR_FACINGS) {
        side *= 2;
    }
    sheet->per_line = side / sheet->side;
    fr_picture_destroy(sheet->picture);
    sheet->picture = fr_picture_create(atlas->canvas, side, side, false);
}

void fr_atlas_prepare(fr_atlas *atlas, int size, int team, bool selected)
{
    sprite_sheet *sheet = &atlas->sheets[size];
    int look = (int)((unsigned)team % FR_TEAMS_MAX) * 2 + (selected ? 1 : 0);
    if (sheet->picture == NULL) {
        make_picture(atlas, sheet, size, LOOKS_AT_FIRST);
        for (int i = 0; i < LOOKS; i++) {
            sheet->row[i] = -1;
        }
    }
    if (sheet->row[look] >= 0) {
        return;
    }
    sheet->row[look] = (int8_t)sheet->used++;
    if (sheet->used <= sheet->capacity) {
        bake_look(atlas, sheet, size, look);
        return;
    }
    make_picture(atlas, sheet, size, LOOKS);
    for (int i = 0; i < LOOKS; i++) {
        if (sheet->row[i] >= 0) {
            bake_look(atlas, sheet, size, i);
        }
    }
}

fr_sprite fr_atlas_sprite(fr_atlas *atlas, int size, int team, bool selected, int facing)
{
    fr_atlas_prepare(atlas, size, team, selected);
    const sprite_sheet *sheet = &atlas->sheets[size];
    int look = (int)((unsigned)team % FR_TEAMS_MAX) * 2 + (selected ? 1 : 0);
    float r = fr_atlas_radius(size);
    fr_rect place = sprite_place(sheet, sheet->row[look], facing & (FR_FACINGS - 1));
    int half = sheet->side / 2, before = sprite_extent(r, selected, false),
        after = sprite_extent(r, selected, true);
    place = (fr_rect){place.x + half - before, place.y + half - before, before + after, before + after};
    float offset = (float)-before;
    return (fr_sprite){sheet->picture, place, offset, offset};
}
