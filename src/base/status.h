/* status: how a function says that data or the environment was bad. Programmer errors assert (base/assert.h).
 */
#ifndef FR_BASE_STATUS_H
#define FR_BASE_STATUS_H

#define FR_ERROR_BYTES 512

typedef enum fr_status {
    FR_OK = 0,
    FR_BAD_INPUT, /* a file, option or argument that breaks its rules: programs exit with 2 */
    FR_IO_FAILED, /* reading or writing failed */
    FR_NO_MEMORY, /* an allocation failed */
    FR_LIMIT,     /* a stated cap was hit */
} fr_status;

/* One line without a newline: `FILE: what is wrong, where, found, expected`. Zero-initialise before use. */
typedef struct fr_error {
    char message[FR_ERROR_BYTES];
} fr_error;

/* Replaces control characters by '?': names and values come from files, and a newline in one must not turn
 * one line into two. */
void fr_make_one_line(char *text);

/* Formats the message (cut at FR_ERROR_BYTES, control characters replaced) and returns `status`.
 * `error` may be null. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
fr_status
fr_fail(fr_error *error, fr_status status, const char *format, ...);

#endif
