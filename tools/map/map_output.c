/* map_output: a map as a file, and the picture of its tiles. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "../common/options.h"
#include "../common/tile_art.h"
#include "base/memory.h"
#include "grid/nav.h"
#include "map_tools.h"
#include "mapio/map_writer.h"

static_assert(FR_SHEET_TILE_PX == (int)FR_TILE_PX, "tiles are drawn as large as the map says");

bool fr_has_extension(const char *path, const char *extension)
{
    size_t length = strlen(path), size = strlen(extension);
    if (length <= size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (tolower((unsigned char)path[length - size + i]) != extension[i]) {
            return false;
        }
    }
    return true;
}

static char *path_of_picture(const char *path)
{
    fr_buffer text = {0};
    fr_buffer_append(&text, path, (size_t)(strrchr(path, '.') - path));
    static const char ending[] = "-tiles.bmp";
    fr_buffer_append(&text, ending, sizeof ending);
    return (char *)text.data;
}

fr_status fr_map_output_open(const char *path, fr_map_output *out, fr_error *error)
{
    bool is_tiled = fr_has_extension(path, ".tmj") || fr_has_extension(path, ".json");
    if (!is_tiled && !fr_has_extension(path, ".map")) {
        return fr_fail(error, FR_BAD_INPUT, "%s: expected a name that ends in .tmj, .json or .map", path);
    }
    fr_map_output output = {.is_tiled = is_tiled, .map = fr_output_open(path, error)};
    if (output.map == NULL) {
        return FR_IO_FAILED;
    }
    if (is_tiled) {
        output.picture_path = path_of_picture(path);
        output.picture = fr_output_open(output.picture_path, error);
        if (output.picture == NULL) {
            fr_map_output_abandon(&output);
            return FR_IO_FAILED;
        }
    }
    *out = output;
    return FR_OK;
}

void fr_map_output_abandon(fr_map_output *output)
{
    fr_output_abandon(output->map);
    fr_output_abandon(output->picture);
    fr_free(output->picture_path);
    *output = (fr_map_output){0};
}

static void draw_sheet(const fr_ground_tile *tiles, int32_t count, fr_buffer *out)
{
    int rows = (count + FR_SHEET_COLUMNS - 1) / FR_SHEET_COLUMNS;
    fr_bitmap sheet = fr_bitmap_create(FR_SHEET_COLUMNS * FR_TILE_PX, rows * FR_TILE_PX);
    for (int i = 0; i < count; i++) {
        fr_draw_tile(&sheet, i % FR_SHEET_COLUMNS * FR_TILE_PX, i / FR_SHEET_COLUMNS * FR_TILE_PX,
                     (fr_terrain)tiles[i].terrain, 0);
    }
    fr_bitmap_write(&sheet, out);
    fr_bitmap_destroy(&sheet);
}

/* Name of a file without its folder: the picture lies beside the map. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Writes and commits one file; the output is gone afterwards in every case. */
static fr_status finish(fr_output **output, const fr_buffer *bytes, fr_error *error)
{
    fr_status status = fr_output_write(*output, bytes->data, bytes->size, error);
    if (status == FR_OK) {
        status = fr_output_commit(*output, error);
        *output = NULL;
    }
    return status;
}

static void warn_of_losses(const char *program, const fr_map *map, int32_t dear)
{
    if (dear > 0) {
        fr_complain(program, "warning: %d cells cost more than 1: MovingAI maps have no costs", dear);
    }
    if (map->spawn_count > 0) {
        fr_complain(program, "warning: %d spawns are left out: MovingAI maps have none", map->spawn_count);
    }
    if (map->nav_shift != 0) {
        fr_complain(program, "warning: nav_scale %g is left out: MovingAI maps have none",
                    fr_nav_scale(map->nav_shift));
    }
}

int fr_map_output_save(const char *program, fr_map_output *output, const fr_map *map)
{
    fr_buffer text = {0}, picture = {0};
    fr_error error = {0};
    fr_status status = FR_OK;
    if (output->is_tiled) {
        fr_ground_tile *tiles;
        int32_t count;
        fr_map_write_tiled(map, name_of(output->picture_path), &text, &tiles, &count);
        draw_sheet(tiles, count, &picture);
        fr_free(tiles);
        status = finish(&output->picture, &picture, &error);
    } else {
        warn_of_losses(program, map, fr_map_write_movingai(map, &text));
    }
    if (status == FR_OK) {
        status = finish(&output->map, &text, &error);
    }
    if (status != FR_OK) {
        fr_complain(program, "%s", error.message);
    }
    fr_buffer_fini(&text);
    fr_buffer_fini(&picture);
    fr_map_output_abandon(output);
    return status == FR_OK ? FR_EXIT_OK : FR_EXIT_FAILED;
}
