#include "view/draw_list.h"

#include <stddef.h>

#include "base/memory.h"

void fr_draw_list_fini(fr_draw_list *list)
{
    fr_free(list->batches);
    fr_free(list->targets);
    fr_free(list->sources);
    fr_free(list->rects);
    *list = (fr_draw_list){0};
}

void fr_draw_list_clear(fr_draw_list *list)
{
    list->batch_count = list->quad_count = list->rect_count = 0;
}

static int32_t grown(int32_t capacity)
{
    return capacity < 256 ? 256 : capacity * 2;
}

/* The last batch if it is of this kind, else a new one. */
static fr_draw_batch *batch_for(fr_draw_list *list, fr_draw_kind kind, fr_picture *picture, uint32_t color,
                                int32_t first)
{
    if (list->batch_count > 0) {
        fr_draw_batch *last = &list->batches[list->batch_count - 1];
        if (last->kind == kind && last->picture == picture && last->color == color) {
            return last;
        }
    }
    if (list->batch_count == list->batch_capacity) {
        list->batch_capacity = grown(list->batch_capacity);
        list->batches = fr_realloc(list->batches, (size_t)list->batch_capacity, sizeof *list->batches);
    }
    fr_draw_batch *batch = &list->batches[list->batch_count++];
    *batch = (fr_draw_batch){kind, picture, color, first, 0};
    return batch;
}

void fr_draw_quad(fr_draw_list *list, fr_picture *picture, fr_box target, fr_rect source)
{
    if (picture == NULL) {
        return;
    }
    if (list->quad_count == list->quad_capacity) {
        list->quad_capacity = grown(list->quad_capacity);
        list->targets = fr_realloc(list->targets, (size_t)list->quad_capacity, sizeof *list->targets);
        list->sources = fr_realloc(list->sources, (size_t)list->quad_capacity, sizeof *list->sources);
    }
    fr_draw_batch *batch = batch_for(list, FR_DRAW_QUADS, picture, 0, list->quad_count);
    batch->count++;
    list->targets[list->quad_count] = target;
    list->sources[list->quad_count++] = source;
}

void fr_draw_copy(fr_draw_list *list, fr_picture *picture, float x, float y, fr_rect source)
{
    fr_draw_quad(list, picture, (fr_box){x, y, (float)source.width, (float)source.height}, source);
}

void fr_draw_rect(fr_draw_list *list, uint32_t color, fr_box box)
{
    if (list->rect_count == list->rect_capacity) {
        list->rect_capacity = grown(list->rect_capacity);
        list->rects = fr_realloc(list->rects, (size_t)list->rect_capacity, sizeof *list->rects);
    }
    fr_draw_batch *batch = batch_for(list, FR_DRAW_RECTS, NULL, color, list->rect_count);
    batch->count++;
    list->rects[list->rect_count++] = box;
}
