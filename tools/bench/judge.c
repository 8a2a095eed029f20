#include "judge.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../common/options.h"
#include "files/stdio_io.h"
#include "sim/rejudge.h"

/* Longer lines than names and ten numbers make are no lines of such a file. */
#define LINE_BYTES 4096

typedef struct reader {
    const char *path;
    FILE *file;
    int64_t line;
    char text[LINE_BYTES];
} reader;

/* The next line without its end; false at the end of the file. */
static bool next_line(reader *in)
{
    if (fgets(in->text, LINE_BYTES, in->file) == NULL) {
        return false;
    }
    in->line++;
    in->text[strcspn(in->text, "\r\n")] = '\0';
    return true;
}

static int judge_rows(const char *program, reader *in, fr_rejudge *rejudge)
{
    fr_error error = {0};
    if (!next_line(in) || !fr_positions_is_header(in->text)) {
        return fr_complain(program, "%s: line 1: not the header of a positions file", in->path);
    }
    while (next_line(in)) {
        fr_positions_row row;
        fr_status status = fr_positions_read(in->text, &row, &error);
        if (status == FR_OK) {
            status = fr_rejudge_add(rejudge, &row, &error);
        }
        if (status != FR_OK) {
            return fr_complain(program, "%s: line %lld: %s", in->path, (long long)in->line, error.message);
        }
    }
    if (ferror(in->file) != 0) {
        return fr_complain(program, "%s: cannot be read", in->path);
    }
    return in->line > 1 ? FR_EXIT_OK : fr_complain(program, "%s: no unit in it", in->path);
}

int fr_judge_positions(const char *program, const char *positions, const char *scenario_path)
{
    fr_error error = {0};
    fr_io io = fr_stdio_io(program);
    fr_scenario *scenario = fr_scenario_load(&io, scenario_path, &error);
    if (scenario == NULL) {
        return fr_complain(program, "%s", error.message);
    }
    static reader in;
    in = (reader){.path = positions, .file = fopen(positions, "rb")};
    int code = FR_EXIT_OK;
    if (in.file == NULL) {
        code = fr_complain(program, "%s: %s", positions, strerror(errno));
    } else {
        fr_rejudge *rejudge = fr_rejudge_create(scenario);
        code = judge_rows(program, &in, rejudge);
        if (code == FR_EXIT_OK) {
            fr_buffer out = {0};
            fr_rejudge_report(rejudge, &out);
            fwrite(out.data, 1, out.size, stdout);
            fr_buffer_fini(&out);
        }
        fr_rejudge_destroy(rejudge);
        fclose(in.file);
    }
    fr_scenario_destroy(scenario);
    return code;
}
