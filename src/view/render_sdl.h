/* render_sdl: pictures (textures) and the drawing of draw lists through an SDL renderer. Knows nothing of
 * maps or units. Main thread only. */
#ifndef FR_VIEW_RENDER_SDL_H
#define FR_VIEW_RENDER_SDL_H

#include <stdbool.h>
#include <stdint.h>

#include "view/draw_list.h"

struct SDL_Renderer;

typedef struct fr_canvas fr_canvas;

fr_canvas *fr_canvas_create(struct SDL_Renderer *renderer);
void fr_canvas_destroy(fr_canvas *canvas);

/* Largest side of a picture (pixels). */
int fr_canvas_picture_max(const fr_canvas *canvas);

/* Fills the target with one opaque colour. */
void fr_canvas_clear(fr_canvas *canvas, uint32_t color);
/* Draws all batches in order. */
void fr_canvas_draw(fr_canvas *canvas, const fr_draw_list *list);

/* A picture of undefined contents, drawn opaque or blended by its alpha. Null if the renderer has no room or
 * a side is outside 1..fr_canvas_picture_max; all functions below accept null. */
fr_picture *fr_picture_create(fr_canvas *canvas, int width, int height, bool opaque);
void fr_picture_destroy(fr_picture *picture);
int fr_picture_width(const fr_picture *picture);
int fr_picture_height(const fr_picture *picture);
/* Replaces a part; `pixels` [part.height * stride], 0xAARRGGBB with straight alpha. */
void fr_picture_update(fr_picture *picture, fr_rect part, const uint32_t *pixels, int stride);

#endif
