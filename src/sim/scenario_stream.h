/* scenario_stream: groups whose units come one after the other while the run goes on. Part of the scenario.
 */
#ifndef FR_SIM_SCENARIO_STREAM_H
#define FR_SIM_SCENARIO_STREAM_H

#include "sim/scenario.h"

/* Queues the units that are due at the world's next tick and find room; the others wait for a later one. What
 * comes depends on the seed, the tick and where units stand, so that it needs no state of its own. */
void fr_scenario_stream(const fr_scenario *scenario, fr_world *world);

#endif
