/* codec: base64 and the compressions of Tiled's layers. Internal to mapio/. */
#ifndef FR_MAPIO_CODEC_H
#define FR_MAPIO_CODEC_H

#include "base/buffer.h"
#include "base/status.h"

/* Appends the bytes of base64 text (padded, blanks allowed); false, and nothing appended, if it is none. */
bool fr_base64_decode(const char *text, fr_buffer *out);

/* Fills `out` with exactly `out_size` bytes (at least 1) from the whole of `in`. `compression` is "", "zlib",
 * "gzip" or "zstd". FR_BAD_INPUT, with the reason but no place in `error`, for another length, cut or damaged
 * data, and compressions that are unknown or not built in. */
fr_status fr_decompress(const char *compression, const void *in, size_t in_size, void *out, size_t out_size,
                        fr_error *error);

/* Appends the bytes as base64 text, padded, in one line. */
void fr_base64_encode(const void *bytes, size_t size, fr_buffer *out);

/* Appends the bytes compressed as zlib does; false, and nothing appended, where zlib is not built in. */
bool fr_compress(const void *in, size_t in_size, fr_buffer *out);

/* Version, or null where the library is not built in. Static storage. */
const char *fr_zlib_version(void);
const char *fr_zstd_version(void);

#endif
