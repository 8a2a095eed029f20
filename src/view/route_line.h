/* route_line: the way of the selected as a row of dots, with its length and the time it takes beside the
 * cursor. Dots rather than a line: they are copies of one small picture, cheap however long the way. */
#ifndef FR_VIEW_ROUTE_LINE_H
#define FR_VIEW_ROUTE_LINE_H

#include "view/frame.h"
#include "view/panel.h"

typedef struct fr_route_line {
    fr_picture *dot;
    int side; /* of the dot's picture (pixels) */
} fr_route_line;

/* An all-zero value is valid. */
void fr_route_line_fini(fr_route_line *line);
/* Drops the picture. */
void fr_route_line_flush(fr_route_line *line);
void fr_route_line_draw(fr_route_line *line, fr_skin *skin, const fr_frame *frame, fr_draw_list *list);

/* "123 cells, 0:31": what is said of a way. */
void fr_route_text(const fr_view_route *route, char *out, size_t size);

#endif
