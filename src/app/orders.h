/* orders: from the player's wishes to commands for the selected units, with the marker and the word that goes
 * with them. */
#ifndef FR_APP_ORDERS_H
#define FR_APP_ORDERS_H

#include "app/input.h"

/* Sends the selected to a place (clamped to the map); with nothing selected the place becomes the probe goal.
 */
void fr_order_move(fr_ui *ui, const fr_input_scene *scene, fr_position place);

/* The selected follow a unit. */
void fr_order_follow(fr_ui *ui, const fr_input_scene *scene, uint32_t target);

/* FR_COMMAND_STOP or FR_COMMAND_HOLD for the selected. */
void fr_order_plain(fr_ui *ui, const fr_input_scene *scene, fr_command_kind kind);

/* Walls (or their removal) over all cells on the line between two cells. */
void fr_order_walls(fr_ui *ui, const fr_input_scene *scene, fr_cell from, fr_cell to, bool put);

/* Switches a row of the movement panel: 0 the mover, 1.. the mechanisms; other rows do nothing. */
void fr_order_movement(fr_ui *ui, const fr_input_scene *scene, int row);

#endif
