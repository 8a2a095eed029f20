/* loop: the fixed-timestep accumulator. Pure arithmetic on timestamps: real time in, number of ticks and the
 * share of the next one out. It must not ask a clock, nor know what a tick does. */
#ifndef FR_APP_LOOP_H
#define FR_APP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* Speeds are kept in eighths of normal, so that accumulated time stays an exact integer. */
#define FR_SPEED_NORMAL  8
#define FR_SPEED_LOWEST  1
#define FR_SPEED_HIGHEST 64

typedef struct fr_loop {
    bool paused;
    int speed;    /* eighths: FR_SPEED_LOWEST..FR_SPEED_HIGHEST */
    int steps;    /* single steps asked for and not yet done */
    bool started; /* `last_ns` is known */
    uint64_t last_ns;
    uint64_t owed;          /* time not yet turned into ticks, less than one tick between calls */
    uint64_t dropped_ticks; /* real time that was given up, in whole ticks */
} fr_loop;

typedef struct fr_loop_frame {
    int ticks;   /* to run now, at most FR_CATCH_UP_TICKS_MAX (single steps apart) */
    float alpha; /* 0..1 between the tick before the last and the last */
} fr_loop_frame;

/* Running, normal speed. */
fr_loop fr_loop_begin(void);

/* Takes the time of a frame. A clock that stands or goes back gives nothing; time beyond the catch-up bound
 * is dropped and counted; paused time is neither run nor counted. */
fr_loop_frame fr_loop_advance(fr_loop *loop, uint64_t now_ns);

/* Forgets the time since the last frame (the window was hidden, a file was loaded). */
void fr_loop_skip(fr_loop *loop, uint64_t now_ns);

/* One tick while paused; while running it pauses first. */
void fr_loop_step(fr_loop *loop);

/* Doubles (`direction` > 0) or halves the speed within its limits. Leaves a pause alone. */
void fr_loop_change_speed(fr_loop *loop, int direction);

/* 1 = normal. */
double fr_loop_speed(const fr_loop *loop);

#endif
