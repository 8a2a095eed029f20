/* draw_list: what one frame shows, as plain data in drawing order: textured quads and plain rectangles,
 * joined into batches as they come. Everything that decides what is seen ends here, so it can be tested
 * without a window; render_sdl.c turns batches into calls. */
#ifndef FR_VIEW_DRAW_LIST_H
#define FR_VIEW_DRAW_LIST_H

#include <stdint.h>

#include "grid/grid.h"

typedef struct fr_picture fr_picture; /* a texture; see render_sdl.h */

/* Pixels of the window. */
typedef struct fr_box {
    float x, y, width, height;
} fr_box;

typedef enum fr_draw_kind { FR_DRAW_QUADS = 0, FR_DRAW_RECTS } fr_draw_kind;

typedef struct fr_draw_batch {
    fr_draw_kind kind;
    fr_picture *picture;  /* quads: where the pixels come from (borrowed) */
    uint32_t color;       /* rects: 0xAARRGGBB */
    int32_t first, count; /* into quads' targets and sources, or into rects */
} fr_draw_batch;

typedef struct fr_draw_list {
    fr_draw_batch *batches;
    int32_t batch_count, batch_capacity;
    fr_box *targets;  /* [quad_count] */
    fr_rect *sources; /* [quad_count] pixels of the picture */
    int32_t quad_count, quad_capacity;
    fr_box *rects;
    int32_t rect_count, rect_capacity;
} fr_draw_list;

/* An all-zero list is valid and empty; the memory is kept from frame to frame. */
void fr_draw_list_fini(fr_draw_list *list);
void fr_draw_list_clear(fr_draw_list *list);

/* A part of a picture stretched over `target`. A null picture draws nothing. */
void fr_draw_quad(fr_draw_list *list, fr_picture *picture, fr_box target, fr_rect source);
/* A part of a picture, unscaled, with its top left corner at (x, y). */
void fr_draw_copy(fr_draw_list *list, fr_picture *picture, float x, float y, fr_rect source);
/* One colour, blended by its alpha. */
void fr_draw_rect(fr_draw_list *list, uint32_t color, fr_box box);

#endif
