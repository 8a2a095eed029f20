/* option_values: the values of single options, each checked for form and range. `name` is the option's, for
 * the message; every function returns FR_BAD_INPUT and one line for what it refuses. */
#ifndef FR_APP_OPTION_VALUES_H
#define FR_APP_OPTION_VALUES_H

#include "app/options.h"

/* The message for a value that does not fit. */
fr_status fr_option_refuse(fr_error *error, const char *name, const char *text, const char *expected);
fr_status fr_option_count(const char *name, const char *text, uint64_t min, uint64_t max,
                          const char *expected, uint64_t *out, fr_error *error);
fr_status fr_option_camera(const char *name, const char *text, fr_options *out, fr_error *error);
fr_status fr_option_shift(const char *name, const char *text, fr_options *out, fr_error *error);
fr_status fr_option_size(const char *name, const char *text, fr_options *out, fr_error *error);
fr_status fr_option_overlays(const char *name, const char *text, fr_options *out, fr_error *error);
fr_status fr_option_screenshot(const char *name, const char *text, fr_options *out, fr_error *error);
fr_status fr_option_mover(const char *name, const char *text, fr_options *out, fr_error *error);
fr_status fr_option_without(const char *name, const char *text, fr_options *out, fr_error *error);

#endif
