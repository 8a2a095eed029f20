/* stdio_io: files by C's stdio. What is written appears under its name only when it is whole: a reader, or a
 * run that is stopped half way, never meets half a file. Knows nothing of what the files hold. */
#include "files/stdio_io.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

/* Names tried for a temporary file; more than a few are taken only where runs were killed over and over. */
#define TEMPORARY_NAMES 100

struct fr_output {
    char *path;
    char *temporary; /* null: written in place */
    FILE *file;
    bool has_failed;
};

static fr_status read_file(void *self, const char *path, fr_buffer *out, fr_error *error)
{
    (void)self;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return fr_fail(error, FR_IO_FAILED, "%s: cannot be opened: %s", path, strerror(errno));
    }
    char chunk[1 << 15];
    size_t before = out->size, got;
    fr_status status = FR_OK;
    while (status == FR_OK && (got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        fr_buffer_append(out, chunk, got);
        if (out->size - before > FR_FILE_BYTES_MAX) {
            status = fr_fail(error, FR_LIMIT, "%s: more than %u MiB", path, FR_FILE_BYTES_MAX >> 20);
        }
    }
    if (status == FR_OK && ferror(file)) {
        status = fr_fail(error, FR_IO_FAILED, "%s: cannot be read: %s", path, strerror(errno));
    }
    fclose(file);
    if (status != FR_OK) {
        out->size = before;
    }
    return status;
}

static fr_status fail_write(fr_output *output, fr_error *error)
{
    output->has_failed = true;
    return fr_fail(error, FR_IO_FAILED, "%s: cannot be written: %s", output->path, strerror(errno));
}

/* Opens a new file beside the path under a name that nobody uses. */
static FILE *open_temporary(fr_output *output)
{
    size_t size = strlen(output->path) + 16;
    output->temporary = fr_alloc(size, 1);
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        snprintf(output->temporary, size, "%s.%d.tmp", output->path, i);
        FILE *file = fopen(output->temporary, "wbx");
        if (file != NULL || errno != EEXIST) {
            return file;
        }
    }
    return NULL;
}

static void free_output(fr_output *output)
{
    fr_free(output->temporary);
    fr_free(output->path);
    fr_free(output);
}

fr_output *fr_output_open(const char *path, fr_error *error)
{
    bool is_stdout = strcmp(path, "-") == 0;
    fr_output *output = fr_alloc(1, sizeof *output);
    output->path = fr_strdup(is_stdout ? "standard output" : path);
    struct stat info;
    bool exists = !is_stdout && stat(path, &info) == 0;
    if (is_stdout) {
        output->file = stdout;
    } else if (exists && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
    } else if (exists && !S_ISREG(info.st_mode)) {
        /* A device or pipe must be written to, not replaced. */
        output->file = fopen(path, "wb");
    } else {
        output->file = open_temporary(output);
    }
    if (output->file == NULL) {
        fail_write(output, error);
        free_output(output);
        return NULL;
    }
    return output;
}

fr_status fr_output_write(fr_output *output, const void *bytes, size_t size, fr_error *error)
{
    if (size > 0 && fwrite(bytes, 1, size, output->file) != size) {
        return fail_write(output, error);
    }
    return FR_OK;
}

static bool close_file(fr_output *output)
{
    return (output->file == stdout ? fflush(stdout) : fclose(output->file)) == 0;
}

fr_status fr_output_commit(fr_output *output, fr_error *error)
{
    if (output->has_failed) {
        fr_status status = fr_fail(error, FR_IO_FAILED, "%s: an earlier write failed", output->path);
        fr_output_abandon(output);
        return status;
    }
    fr_status status = FR_OK;
    if (!close_file(output) || (output->temporary != NULL && rename(output->temporary, output->path) != 0)) {
        status = fail_write(output, error);
        if (output->temporary != NULL) {
            remove(output->temporary);
        }
    }
    free_output(output);
    return status;
}

void fr_output_abandon(fr_output *output)
{
    if (output == NULL) {
        return;
    }
    close_file(output);
    if (output->temporary != NULL) {
        remove(output->temporary);
    }
    free_output(output);
}

static fr_status write_file(void *self, const char *path, const void *bytes, size_t size, fr_error *error)
{
    (void)self;
    fr_output *output = fr_output_open(path, error);
    if (output == NULL) {
        return FR_IO_FAILED;
    }
    fr_status status = fr_output_write(output, bytes, size, error);
    if (status != FR_OK) {
        fr_output_abandon(output);
        return status;
    }
    return fr_output_commit(output, error);
}

static void log_line(void *self, const char *line)
{
    fprintf(stderr, "%s: %s\n", (const char *)self, line);
}

fr_io fr_stdio_io(const char *program)
{
    return (fr_io){
        .self = (void *)(uintptr_t)program, .read = read_file, .write = write_file, .log = log_line};
}
