#include "view/overlay_congestion.h"

#include "view/palette.h"
#include "view/pixel.h"

/* Pale to dark mauve: apart from the orange of threats and the blue and green of the ground. */
#define LIGHT 0xFFEBC7DEu
#define HEAVY 0xFF6E1F58u

/* From three times the ground's cost on all is heavy. */
#define EIGHTHS_MAX 24u

uint32_t fr_jam_color(uint32_t eighths)
{
    return fr_argb_mix(LIGHT, HEAVY, (eighths > EIGHTHS_MAX ? EIGHTHS_MAX : eighths) * 256u / EIGHTHS_MAX);
}

/* The most that any order's congestion adds in a square. */
static uint32_t worst(const fr_cost *cost, uint32_t jams, int32_t square)
{
    uint32_t most = 0;
    for (int32_t jam = 0; jam < FR_JAMS_MAX; jam++) {
        if ((jams >> jam & 1u) != 0) {
            uint32_t eighths = fr_cost_jam_at(cost, jam, square);
            most = eighths > most ? eighths : most;
        }
    }
    return most;
}

void fr_jams_read(const fr_cost *cost, uint32_t jams, fr_rect cells, int stride, uint32_t *out)
{
    fr_grid squares = fr_jam_squares(fr_cost_grid(cost));
    for (int32_t y = cells.y; y < cells.y + cells.height; y += stride) {
        int32_t last = -1;
        uint32_t color = 0;
        for (int32_t x = cells.x; x < cells.x + cells.width; x += stride) {
            int32_t square = fr_grid_index(squares, (fr_cell){x / FR_JAM_SIDE, y / FR_JAM_SIDE});
            if (square != last) {
                uint32_t most = worst(cost, jams, square);
                color = most == 0 ? 0 : fr_jam_color(most);
                last = square;
            }
            *out++ = fr_cost_is_held(cost, (fr_cell){x, y}) && jams != 0 ? HEAVY : color;
        }
    }
}
