/* textbook: Dijkstra as in any textbook, binary heap with stale pops, unpadded grid with bounds tests,
 * integers 70/99, and a plain pass for the arrow. Oracle for tests and yardstick for the benchmark; the game
 * never calls it. */
#ifndef FR_FIELD_TEXTBOOK_H
#define FR_FIELD_TEXTBOOK_H

#include "field/integrate.h"

/* costs [w*h] row-major; integration and directions [w*h], written. Same results, bit for bit, as
 * fr_integrate and fr_integrate_directions. Returns true if saturated. Allocates its heap. */
bool fr_textbook_field(fr_grid grid, const uint8_t *costs, const fr_goal *goals, int goal_count,
                       uint32_t *integration, uint8_t *directions);

#endif
