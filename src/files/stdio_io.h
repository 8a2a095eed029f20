/* stdio_io: the stdio form of base/io.h. Side room: sees base/ only. */
#ifndef FR_FILES_STDIO_IO_H
#define FR_FILES_STDIO_IO_H

#include "base/io.h"

/* `program` prefixes log lines on stderr; borrowed, must outlive the io. */
fr_io fr_stdio_io(const char *program);

/* An output file opened before the run starts: written under a temporary name beside `path`, renamed on commit.
 * "-" is stdout. */
typedef struct fr_output fr_output;
fr_output *fr_output_open(const char *path, fr_error *error);
fr_status fr_output_write(fr_output *output, const void *bytes, size_t size, fr_error *error);
/* Flushes, closes and renames; frees the output in every case. */
fr_status fr_output_commit(fr_output *output, fr_error *error);
/* Drops what was written. */
void fr_output_abandon(fr_output *output);

#endif
