#include "app/option_values.h"

#include <SDL.h>
#include <string.h>

#include "app/parse.h"
#include "base/limits.h"
#include "view/image.h"
#include "view/view.h"

fr_status fr_option_refuse(fr_error *error, const char *name, const char *text, const char *expected)
{
    return fr_fail(error, FR_BAD_INPUT, "--%s: found '%s', expected %s. " FR_USAGE_HINT, name, text,
                   expected);
}

fr_status fr_option_count(const char *name, const char *text, uint64_t min, uint64_t max,
                          const char *expected, uint64_t *out, fr_error *error)
{
    if (!fr_parse_word_uint(text, max, out) || *out < min) {
        return fr_option_refuse(error, name, text, expected);
    }
    return FR_OK;
}

fr_status fr_option_camera(const char *name, const char *text, fr_options *out, fr_error *error)
{
    double n[3];
    double side = FR_MAP_SIDE_MAX;
    if (!fr_parse_word_numbers(text, ',', n, 3) || n[0] < -side || n[0] > side || n[1] < -side ||
        n[1] > side || n[2] < FR_ZOOM_MIN || n[2] > FR_ZOOM_MAX) {
        return fr_option_refuse(error, name, text, "X,Y,ZOOM: cells, and 0.5 to 96 pixels per cell");
    }
    out->camera = (fr_camera){.x = n[0], .y = n[1], .zoom = n[2]};
    out->has_camera = true;
    return FR_OK;
}

fr_status fr_option_shift(const char *name, const char *text, fr_options *out, fr_error *error)
{
    double n[2];
    double side = FR_MAP_SIDE_MAX;
    if (!fr_parse_word_numbers(text, ',', n, 2) || n[0] < -side || n[0] > side || n[1] < -side ||
        n[1] > side) {
        return fr_option_refuse(error, name, text, "DX,DY in cells");
    }
    out->shift = (fr_vec2){(float)n[0], (float)n[1]};
    out->has_shift = true;
    return FR_OK;
}

fr_status fr_option_size(const char *name, const char *text, fr_options *out, fr_error *error)
{
    double n[2];
    if (!fr_parse_word_numbers(text, 'x', n, 2) || n[0] < 320 || n[0] > 8192 || n[1] < 240 || n[1] > 8192 ||
        n[0] != (int)n[0] || n[1] != (int)n[1]) {
        return fr_option_refuse(error, name, text, "WxH in whole pixels, 320x240 to 8192x8192");
    }
    out->width_px = (int)n[0];
    out->height_px = (int)n[1];
    out->has_size = true;
    return FR_OK;
}

/* "cost, integration, ..." */
static void list_overlays(char *out, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < FR_OVERLAY_COUNT && used < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", fr_overlay_name(i));
    }
}

fr_status fr_option_overlays(const char *name, const char *text, fr_options *out, fr_error *error)
{
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        int found = -1;
        for (int i = 0; i < FR_OVERLAY_COUNT; i++) {
            const char *overlay = fr_overlay_name(i);
            if (strlen(overlay) == length && strncmp(overlay, at, length) == 0) {
                found = i;
            }
        }
        if (found < 0) {
            char names[160];
            list_overlays(names, sizeof names);
            return fr_fail(error, FR_BAD_INPUT,
                           "--%s: no overlay is named '%.*s', expected some of %s. " FR_USAGE_HINT, name,
                           (int)length, at, names);
        }
        out->overlays |= 1u << found;
        at += length;
        if (*at == '\0') {
            return FR_OK;
        }
    }
}

fr_status fr_option_screenshot(const char *name, const char *text, fr_options *out, fr_error *error)
{
    const char *refusal = fr_image_refusal(text);
    if (refusal != NULL) {
        return fr_fail(error, FR_BAD_INPUT, "--%s: found '%s': %s. " FR_USAGE_HINT, name, text, refusal);
    }
    out->screenshot_path = text;
    return FR_OK;
}

fr_status fr_option_mover(const char *name, const char *text, fr_options *out, fr_error *error)
{
    out->mover = fr_mover_from_name(text);
    out->has_movement = true;
    return out->mover < FR_MOVER_COUNT ? FR_OK : fr_option_refuse(error, name, text, "freshet or naive");
}

fr_status fr_option_without(const char *name, const char *text, fr_options *out, fr_error *error)
{
    fr_error problem;
    out->has_movement = true;
    return fr_mechanisms_parse(text, &out->without, &problem) == FR_OK
               ? FR_OK
               : fr_fail(error, FR_BAD_INPUT, "--%s: %s. " FR_USAGE_HINT, name, problem.message);
}
