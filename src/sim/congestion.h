/* congestion: where crowds stand in an order's way, as extra cost for that order. Mass and heading are
 * counted in squares of FR_JAM_SIDE cells, averaged over about half a second and over the squares around.
 * What heads my way at full speed is no hindrance, what stands or queues is, what comes against me twice; at
 * my own goal nothing is. The extra cost of the way that an order would take in empty land is bounded by a
 * share of that way, so that no jam sends an army round the map. Decides costs alone: fields follow by the
 * service. */
#ifndef FR_SIM_CONGESTION_H
#define FR_SIM_CONGESTION_H

#include "base/buffer.h"
#include "sim/orders.h"

typedef struct fr_congestion fr_congestion;

fr_congestion *fr_congestion_create(fr_grid map);
void fr_congestion_destroy(fr_congestion *congestion);

/* Off (as at first) all orders forget what they knew of it. */
void fr_congestion_switch(fr_congestion *congestion, fr_order_desk *desk, bool is_on);
bool fr_congestion_is_on(const fr_congestion *congestion);

/* Once a tick, before fields are asked for; does something a few times a second. Switched off too, orders of
 * which a unit got nowhere before one who holds (fr_leg.held_up) go round those who hold. `full_speed_cost`:
 * of the map. */
void fr_congestion_tick(fr_congestion *congestion, fr_order_desk *desk, int32_t full_speed_cost);

/* Orders that would go round a jam, but for whose costs there was no room. */
uint32_t fr_congestion_denied(const fr_congestion *congestion);

/* Mixes all that decides what comes next. */
uint64_t fr_congestion_hash(const fr_congestion *congestion, const fr_cost *cost, uint64_t hash);
/* Bit j: some order goes round congestion number j (fr_cost_jam_at). */
uint32_t fr_congestion_jams(const fr_congestion *congestion);
/* The leg that jam `number` belongs to; FR_NO_INDEX: it is not in use. */
uint32_t fr_congestion_jam_leg(const fr_congestion *congestion, int32_t number);
void fr_congestion_save(const fr_congestion *congestion, fr_buffer *out);
/* Onto costs just loaded; marks the cells that are held in them. False: the bytes make no sense. */
bool fr_congestion_load(fr_congestion *congestion, fr_cost *cost, fr_reader *reader);

#endif
