#include "grid/clearance.h"

/* Corners of a cell as bits: top left, top right, bottom left, bottom right. */
enum { TOP_LEFT = 1, TOP_RIGHT = 2, BOTTOM_LEFT = 4, BOTTOM_RIGHT = 8 };

/* At which corners of a cell a square of `width` cells (even) fits. The window's middle cell is displaced by
 * (dx, dy). */
static int free_corners(uint64_t walls, int side, int width, int dx, int dy)
{
    uint64_t square = 0;
    for (int y = 0; y < width; y++) {
        square |= (((uint64_t)1 << width) - 1) << (y * side);
    }
    int corners = 0;
    /* The square at the top left corner begins one cell inside the window. */
    for (int i = 0; i < 4; i++) {
        int left = 1 + dx + i % 2, top = 1 + dy + i / 2;
        corners |= (walls & square << (top * side + left)) == 0 ? 1 << i : 0;
    }
    return corners;
}

bool fr_clearance_fits(uint64_t walls, int clearance)
{
    if (walls == 0 || clearance % 2 == 0) {
        return walls == 0;
    }
    static const struct {
        int dx, dy, edge; /* corners shared with that neighbour */
    } sides[] = {
        {1, 0, TOP_RIGHT | BOTTOM_RIGHT},
        {-1, 0, TOP_LEFT | BOTTOM_LEFT},
        {0, 1, BOTTOM_LEFT | BOTTOM_RIGHT},
        {0, -1, TOP_LEFT | TOP_RIGHT},
    };
    int side = fr_clearance_window(clearance), width = clearance + 1;
    int corners = free_corners(walls, side, width, 0, 0);
    if (corners == 0 || corners == (TOP_LEFT | BOTTOM_RIGHT) || corners == (TOP_RIGHT | BOTTOM_LEFT)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        if ((corners & sides[i].edge) == 0 &&
            free_corners(walls, side, width, sides[i].dx, sides[i].dy) != 0) {
            return false;
        }
    }
    return true;
}
