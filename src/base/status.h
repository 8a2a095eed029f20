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

/* Replaces control characters, and bytes that are no UTF-8 text, by '?': names and values come from files,
 * and neither must a newline in one turn one line into two, nor strange bytes reach a terminal. */
void fr_make_one_line(char *text);

/* Formats the message (cut at FR_ERROR_BYTES, control characters replaced) and returns `status`.
 * `error` may be null. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
fr_status
fr_fail(fr_error *error, fr_status status, const char *format, ...);

#endif
