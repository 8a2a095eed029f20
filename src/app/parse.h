/* parse: strict numbers from command line words: the whole word, in plain decimal, within limits. */
#ifndef FR_APP_PARSE_H
#define FR_APP_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/* Digits alone. */
bool fr_parse_word_uint(const char *text, uint64_t max, uint64_t *out);

/* `count` finite decimal numbers with `separator` between them. */
bool fr_parse_word_numbers(const char *text, char separator, double *out, int count);

#endif
