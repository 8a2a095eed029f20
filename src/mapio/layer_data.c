#include "mapio/layer_data.h"

#include <string.h>

#include "mapio/codec.h"

/* Tiled's coordinates of chunks and layers, in cells; far more than any map, far less than overflows. */
#define COORDINATE_MAX (1 << 24)

static const char *layer_name(const fr_json_value *layer)
{
    return fr_json_string_or(fr_json_get(layer, "name"), "");
}

static fr_status read_numbers(const fr_json *json, const fr_json_value *layer, const fr_json_value *data,
                              fr_grid size, uint32_t *out, fr_error *error)
{
    int32_t count = fr_grid_count(size);
    if (!fr_json_is_array(data) || fr_json_count(data) != count) {
        return fr_json_fail(json, data, error, "layer \"%s\": found %d numbers, expected %d x %d = %d",
                            layer_name(layer), fr_json_is_array(data) ? fr_json_count(data) : 0, size.width,
                            size.height, count);
    }
    for (const fr_json_value *v = fr_json_first(data); v != NULL; v = fr_json_next(v)) {
        /* The quick way for what is well; the checked getter only to complain. */
        double number = fr_json_number_or(v, -1);
        uint32_t gid = number >= 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
        if ((double)gid != number) {
            int64_t ignored;
            return fr_json_int(json, v, 0, UINT32_MAX, &ignored, error);
        }
        *out++ = gid;
    }
    return FR_OK;
}

static fr_status read_base64(const fr_json *json, const fr_json_value *layer, const fr_json_value *data,
                             fr_grid size, uint32_t *out, fr_error *error)
{
    const char *text = fr_json_string_or(data, NULL);
    const char *compression = fr_json_string_or(fr_json_get(layer, "compression"), "");
    if (text == NULL) {
        return fr_json_fail(json, data, error, "layer \"%s\": expected base64 text", layer_name(layer));
    }
    size_t count = (size_t)fr_grid_count(size);
    fr_buffer packed = {0};
    fr_error reason = {0};
    fr_status status = FR_OK;
    if (!fr_base64_decode(text, &packed)) {
        status = fr_fail(&reason, FR_BAD_INPUT, "cut or damaged base64 text");
    } else {
        status = fr_decompress(compression, packed.data, packed.size, out, count * 4, &reason);
    }
    fr_buffer_fini(&packed);
    if (status != FR_OK) {
        return fr_json_fail(json, data, error, "layer \"%s\": %s", layer_name(layer), reason.message);
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t b[4];
        memcpy(b, &out[i], 4);
        out[i] = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
    return FR_OK;
}

fr_status fr_layer_data_read(const fr_json *json, const fr_json_value *layer, const fr_json_value *holder,
                             fr_grid size, uint32_t *out, fr_error *error)
{
    const fr_json_value *data = fr_json_get(holder, "data");
    const char *encoding = fr_json_string_or(fr_json_get(layer, "encoding"), "csv");
    if (data == NULL) {
        return fr_json_fail(json, holder, error, "layer \"%s\": \"data\" is missing", layer_name(layer));
    }
    if (strcmp(encoding, "csv") == 0) {
        return read_numbers(json, layer, data, size, out, error);
    }
    if (strcmp(encoding, "base64") == 0) {
        return read_base64(json, layer, data, size, out, error);
    }
    return fr_json_fail(json, layer, error, "layer \"%s\": encoding \"%.40s\", expected csv or base64",
                        layer_name(layer), encoding);
}

void fr_box_add(fr_box *box, fr_box other)
{
    if (box->right <= box->left) {
        *box = other;
        return;
    }
    box->left = other.left < box->left ? other.left : box->left;
    box->top = other.top < box->top ? other.top : box->top;
    box->right = other.right > box->right ? other.right : box->right;
    box->bottom = other.bottom > box->bottom ? other.bottom : box->bottom;
}

fr_status fr_layer_box(const fr_json *json, const fr_json_value *holder, fr_box *out, fr_error *error)
{
    int64_t x = 0, y = 0, width, height;
    fr_status status = fr_json_get_int(json, holder, "width", 1, FR_MAP_SIDE_MAX, &width, error);
    if (status == FR_OK) {
        status = fr_json_get_int(json, holder, "height", 1, FR_MAP_SIDE_MAX, &height, error);
    }
    if (status == FR_OK && fr_json_get(holder, "x") != NULL) {
        status = fr_json_get_int(json, holder, "x", -COORDINATE_MAX, COORDINATE_MAX, &x, error);
    }
    if (status == FR_OK && fr_json_get(holder, "y") != NULL) {
        status = fr_json_get_int(json, holder, "y", -COORDINATE_MAX, COORDINATE_MAX, &y, error);
    }
    if (status != FR_OK) {
        return status;
    }
    if (width * height > FR_MAP_CELLS_MAX) {
        return fr_json_fail(json, holder, error, "%d x %d cells, at most %d", (int)width, (int)height,
                            FR_MAP_CELLS_MAX);
    }
    *out = (fr_box){x, y, x + width, y + height};
    return FR_OK;
}
