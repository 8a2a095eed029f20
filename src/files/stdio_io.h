/* stdio_io: the stdio form of base/io.h. Side room: sees base/ only. */
#ifndef FR_FILES_STDIO_IO_H
#define FR_FILES_STDIO_IO_H

#include "base/io.h"

/* Bytes of the largest file that is read: a 4096x4096 map of plain numbers has about 0.2 GiB a layer;
 * /dev/zero has no end. */
#define FR_FILE_BYTES_MAX (1u << 30)

/* `program` prefixes log lines on stderr; borrowed, must outlive the io. */
fr_io fr_stdio_io(const char *program);

/* An output file opened before the run starts: written under a temporary name beside `path`, renamed on
 * commit.
 * "-" is stdout; a device or a pipe is written in place. Null with a message on failure. */
typedef struct fr_output fr_output;
fr_output *fr_output_open(const char *path, fr_error *error);
fr_status fr_output_write(fr_output *output, const void *bytes, size_t size, fr_error *error);
/* Flushes, closes and renames; frees the output in every case. */
fr_status fr_output_commit(fr_output *output, fr_error *error);
/* Drops what was written; null is allowed. */
void fr_output_abandon(fr_output *output);

#endif
