/* limits: every cap and every tuned constant that more than one room shares, each with its unit and the
 * reason for its size. A cap that is hit is counted and shown by whoever hits it, never passed over. */
#ifndef FR_BASE_LIMITS_H
#define FR_BASE_LIMITS_H

#include <stdint.h>

/* Simulation ticks per second. Every speed and time in the simulation derives from it. */
#define FR_TICK_HZ 30

/* Cells on a side of the largest map, and cells in all. Positions are 32-bit fixed point with 16 fraction
 * bits, so +-32,768 cells could be addressed; 16,384 leaves room for differences of two positions. */
#define FR_MAP_SIDE_MAX  16384
#define FR_MAP_CELLS_MAX (4096 * 4096)

/* Fields, costs and regions are kept in square blocks of this side (cells): 1,024 cells are one page of
 * values. */
#define FR_BLOCK_SHIFT 5
#define FR_BLOCK_SIDE  (1 << FR_BLOCK_SHIFT)
#define FR_BLOCK_CELLS (FR_BLOCK_SIDE * FR_BLOCK_SIDE)

/* Units in one world. 100,000 is the largest scene the project shows; the rest is head room. */
#define FR_UNITS_MAX 131072

/* Unit radius and top speed (cells, cells/s). Below the minimum discs vanish; above the maximum one unit
 * would touch more neighbours than its list holds. */
#define FR_RADIUS_MIN     0.1f
#define FR_RADIUS_MAX     2.0f
#define FR_RADIUS_DEFAULT 0.4f
#define FR_SPEED_MIN      0.05f
#define FR_SPEED_MAX      12.0f
#define FR_SPEED_DEFAULT  4.0f

/* Hexagonal packing, the tightest of discs: cells that one of radius 1 takes (2 sqrt 3), share of the plane
 * that they cover. A group has arrived within this much more room than it takes (the README says how that is
 * judged). */
#define FR_PACKED_CELLS 3.4641
#define FR_PACKED_SHARE 0.9069
#define FR_PACK_ROOM    1.25

/* Classes of width that fields tell apart: gaps of 1 to 5 cells, the last for discs of the largest radius.
 */
#define FR_CLEARANCE_COUNT 5

/* Groups of one world: they are numbered in 16 bits. */
#define FR_GROUPS_MAX 65535

/* Teams; each has a colour. */
#define FR_TEAMS_MAX 8

/* Threats of one world: each block that is composed anew looks at all of them. */
#define FR_THREATS_MAX 256

/* Congestion: side of the squares (cells; a power of two that divides a block) in which crowds are counted,
 * and orders that may go round them at one time: each has costs and a field of its own. */
#define FR_JAM_SIDE 4
#define FR_JAMS_MAX 16

/* What it costs more to go where somebody stands who never gives way (eighths of the ground's cost): going
 * round is nearly always better, but being in the midst of such is not the end. */
#define FR_HELD_EIGHTHS 512

/* Goals of one order. A column of a large map must fit. */
#define FR_GOALS_MAX 256

/* Dearest entry to a goal (integration units): 100,000 straight steps of cost 1, farther than any way on maps
 * of one cost. */
#define FR_GOAL_PRICE_MAX (100000u * 70u)

/* Cells of one goal area, and so goals of one field: an area of 512x512. */
#define FR_FIELD_GOALS_MAX (512 * 512)

/* Memory for the blocks of all fields of a world (bytes). */
#define FR_FIELD_BYTES (256u << 20)

/* By how much (straight steps of cost 1) ways may be longer than the longest that is needed and still lie in
 * a field of a part of the map: room to be pushed aside, and to go round others. */
#define FR_FIELD_REACH 32

/* Maps of up to this many cells have whole fields, which are there in two ticks, while these don't take too
 * much of the budget; on larger ones, and from then on, a field covers what units need. */
#define FR_FIELD_WHOLE_CELLS (512 * 512)

/* Cells that one field waits to cover. Those beyond are asked for again by units that are still not covered.
 */
#define FR_FIELD_WANTS_MAX 64

/* Cells of field work done per tick, and ticks until what is done is seen: the rule that makes fields appear
 * at the same tick whatever the machine. Replays carry FR_FIELD_RULE_VERSION. */
#define FR_FIELD_CELLS_PER_TICK 262144
#define FR_FIELD_LATENCY_TICKS  2
#define FR_FIELD_RULE_VERSION   6

/* Orders of a burst: goals at most this far apart (cells), this soon one after the other (ticks: half a
 * second, as fast as a hand clicks). They share the field of the first until the hand rests. */
#define FR_BURST_CELLS 2
#define FR_BURST_TICKS 15

/* Orders to follow a unit look where it is this often (ticks): twice a second is as often as the eye wants
 * it, and costs one field a look. */
#define FR_FOLLOW_TICKS 15

/* Worker threads beside the main thread. More never paid in any scene measured. */
#define FR_WORKERS_MAX 32

/* Fixed-timestep loop: ticks run at most per frame before real time is dropped (and counted). */
#define FR_CATCH_UP_TICKS_MAX 5

#endif
