/* map_convert: the same ground in the other format: `convert IN OUT`, by the extension of OUT. */
#include <string.h>

#include "../common/options.h"
#include "map_tools.h"
#include "mapio/mapio.h"

int fr_map_convert(const char *program, int argc, char **argv)
{
    if (argc != 2) {
        return fr_complain_usage(program, "convert: found %d file names, expected two", argc);
    }
    if (strcmp(argv[0], argv[1]) == 0) {
        return fr_complain_usage(program, "convert: %s: would be written over itself", argv[0]);
    }
    fr_io io = fr_stdio_io(program);
    fr_error error = {0};
    fr_map *map = fr_map_load(&io, argv[0], &error);
    if (map == NULL) {
        return fr_complain(program, "%s", error.message);
    }
    fr_map_output output;
    int code = fr_map_output_open(argv[1], &output, &error) == FR_OK
                   ? fr_map_output_save(program, &output, map)
                   : fr_complain(program, "%s", error.message);
    fr_map_destroy(map);
    return code;
}
