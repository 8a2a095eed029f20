/* codec: the only file that sees zlib and zstd. */
#include "mapio/codec.h"

#include <limits.h>
#include <string.h>

#ifdef FR_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef FR_HAVE_ZSTD
#include <zstd.h>
#endif

/* Value of a base64 digit, or -1. */
static int digit_value(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Reads four digits into three bytes; returns how many of them count, or 0. Padding ends the text. */
static int decode_group(const char **text, uint8_t bytes[3])
{
    uint32_t bits = 0;
    int digits = 0;
    for (int i = 0; i < 4; i++) {
        *text = skip_blanks(*text);
        int value = digit_value(**text);
        if (value >= 0 && digits == i) {
            bits |= (uint32_t)value << (18 - 6 * i);
            digits++;
        } else if (**text != '=' || i < 2) {
            return 0;
        }
        (*text)++;
    }
    bytes[0] = (uint8_t)(bits >> 16);
    bytes[1] = (uint8_t)(bits >> 8);
    bytes[2] = (uint8_t)bits;
    bool is_last = *skip_blanks(*text) == '\0';
    return digits == 4 || is_last ? digits - 1 : 0;
}

bool fr_base64_decode(const char *text, fr_buffer *out)
{
    size_t before = out->size;
    for (text = skip_blanks(text); *text != '\0'; text = skip_blanks(text)) {
        uint8_t bytes[3];
        int count = decode_group(&text, bytes);
        if (count == 0) {
            out->size = before;
            return false;
        }
        fr_buffer_append(out, bytes, (size_t)count);
    }
    return true;
}

void fr_base64_encode(const void *bytes, size_t size, fr_buffer *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *in = bytes;
    for (size_t i = 0; i < size; i += 3) {
        size_t count = size - i < 3 ? size - i : 3;
        uint32_t bits = (uint32_t)in[i] << 16;
        bits |= count > 1 ? (uint32_t)in[i + 1] << 8 : 0;
        bits |= count > 2 ? in[i + 2] : 0;
        char group[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63],
                         digits[bits & 63]};
        memset(group + 1 + count, '=', 3 - count);
        fr_buffer_append(out, group, sizeof group);
    }
}

#if defined(FR_HAVE_ZLIB) || defined(FR_HAVE_ZSTD)
static fr_status fail_length(size_t size, fr_error *error, const char *found)
{
    return fr_fail(error, FR_BAD_INPUT, "found %s, expected %zu bytes of tiles", found, size);
}
#endif

#ifdef FR_HAVE_ZLIB
static fr_status inflate_all(const void *in, size_t in_size, void *out, size_t out_size, fr_error *error)
{
    if (in_size > UINT_MAX || out_size > UINT_MAX) {
        return fr_fail(error, FR_LIMIT, "more than 4 GiB");
    }
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)in,
                       .avail_in = (uInt)in_size,
                       .next_out = out,
                       .avail_out = (uInt)out_size};
    /* 32: zlib or gzip, by the header. */
    if (inflateInit2(&stream, 15 + 32) != Z_OK) {
        return fr_fail(error, FR_NO_MEMORY, "no memory to inflate");
    }
    int result = inflate(&stream, Z_FINISH);
    uInt in_left = stream.avail_in, out_left = stream.avail_out;
    inflateEnd(&stream);
    if (result == Z_DATA_ERROR || result == Z_NEED_DICT) {
        return fr_fail(error, FR_BAD_INPUT, "damaged compressed data");
    }
    if (result != Z_STREAM_END) {
        return fail_length(out_size, error, out_left == 0 ? "more" : "compressed data that is cut short");
    }
    return out_left > 0 || in_left > 0 ? fail_length(out_size, error, out_left > 0 ? "fewer" : "more")
                                       : FR_OK;
}
#else
static fr_status inflate_all(const void *in, size_t in_size, void *out, size_t out_size, fr_error *error)
{
    (void)in, (void)in_size, (void)out, (void)out_size;
    return fr_fail(error, FR_BAD_INPUT, "compression zlib or gzip needs zlib, which is not built in");
}
#endif

#ifdef FR_HAVE_ZSTD
static fr_status unzstd_all(const void *in, size_t in_size, void *out, size_t out_size, fr_error *error)
{
    size_t got = ZSTD_decompress(out, out_size, in, in_size);
    if (ZSTD_isError(got)) {
        return fr_fail(error, FR_BAD_INPUT, "compressed data: %s, expected %zu bytes of tiles",
                       ZSTD_getErrorName(got), out_size);
    }
    return got == out_size ? FR_OK : fail_length(out_size, error, "fewer");
}
#else
static fr_status unzstd_all(const void *in, size_t in_size, void *out, size_t out_size, fr_error *error)
{
    (void)in, (void)in_size, (void)out, (void)out_size;
    return fr_fail(error, FR_BAD_INPUT, "compression zstd needs libzstd, which is not built in");
}
#endif

fr_status fr_decompress(const char *compression, const void *in, size_t in_size, void *out, size_t out_size,
                        fr_error *error)
{
    if (strcmp(compression, "") == 0) {
        if (in_size != out_size) {
            return fr_fail(error, FR_BAD_INPUT, "found %zu bytes, expected %zu", in_size, out_size);
        }
        memcpy(out, in, out_size);
        return FR_OK;
    }
    if (strcmp(compression, "zlib") == 0 || strcmp(compression, "gzip") == 0) {
        return inflate_all(in, in_size, out, out_size, error);
    }
    if (strcmp(compression, "zstd") == 0) {
        return unzstd_all(in, in_size, out, out_size, error);
    }
    return fr_fail(error, FR_BAD_INPUT, "compression \"%.40s\", expected zlib, gzip or zstd", compression);
}

#ifdef FR_HAVE_ZLIB
bool fr_compress(const void *in, size_t in_size, fr_buffer *out)
{
    uint8_t chunk[1 << 15];
    size_t before = out->size;
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)in, .avail_in = (uInt)in_size};
    if (in_size > UINT_MAX || deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK) {
        return false;
    }
    int result;
    do {
        stream.next_out = chunk;
        stream.avail_out = sizeof chunk;
        result = deflate(&stream, Z_FINISH);
        fr_buffer_append(out, chunk, sizeof chunk - stream.avail_out);
    } while (result == Z_OK);
    deflateEnd(&stream);
    out->size = result == Z_STREAM_END ? out->size : before;
    return result == Z_STREAM_END;
}
#else
bool fr_compress(const void *in, size_t in_size, fr_buffer *out)
{
    (void)in, (void)in_size, (void)out;
    return false;
}
#endif

const char *fr_zlib_version(void)
{
#ifdef FR_HAVE_ZLIB
    return zlibVersion();
#else
    return NULL;
#endif
}

const char *fr_zstd_version(void)
{
#ifdef FR_HAVE_ZSTD
    return ZSTD_versionString();
#else
    return NULL;
#endif
}
