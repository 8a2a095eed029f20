/* atlas: pictures of units, baked: team, selection, sixteen facings, outline, highlight and soft shadow, so
 * that a unit is one unscaled, untinted, unturned quad. Rotation and tint are what a software renderer cannot
 * afford. */
#ifndef FR_VIEW_ATLAS_H
#define FR_VIEW_ATLAS_H

#include "base/vec2.h"
#include "view/render_sdl.h"

#define FR_FACINGS 16

/* Sizes that are baked: radius FR_SPRITE_RADIUS_MIN x FR_SPRITE_RADIUS_STEP ^ i pixels. Units in between take
 * the nearest, which is at most 4 % off; larger ones are stretched. */
#define FR_SPRITE_RADIUS_MIN  2.0f
#define FR_SPRITE_RADIUS_STEP 1.08f
#define FR_SPRITE_SIZES       40

typedef struct fr_atlas fr_atlas;

fr_atlas *fr_atlas_create(fr_canvas *canvas);
void fr_atlas_destroy(fr_atlas *atlas);
/* Drops all pictures. */
void fr_atlas_flush(fr_atlas *atlas);

/* Index of the size nearest to a radius (pixels). */
int fr_atlas_size(float radius_px);
float fr_atlas_radius(int size);

/* A unit of one look. Offsets: from its centre to the quad's top left corner. */
typedef struct fr_sprite {
    fr_picture *picture; /* null if the renderer has no room */
    fr_rect source;
    float dx, dy;
} fr_sprite;

/* Bakes what is missing. Sprites of a size are valid until a look of that size is named for the first time.
 */
fr_sprite fr_atlas_sprite(fr_atlas *atlas, int size, int team, bool selected, int facing);

/* Bakes all facings of a look, so that the sprites of one frame lie on one picture. */
void fr_atlas_prepare(fr_atlas *atlas, int size, int team, bool selected);

/* 0..15 clockwise from east; a zero vector faces east. */
int fr_facing_of(fr_vec2 direction);

#endif
