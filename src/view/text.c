#include "view/text.h"

#include <SDL.h>
#include <SDL_ttf.h>
#include <stdio.h>

#include "base/memory.h"
#include "view/palette.h"
#include "view/pixel.h"

#define REPLACEMENT 0xFFFDu

/* Side of the glyph atlas (pixels; power of two, see render_sdl.c) at scales up to 1 and above. */
#define ATLAS_SIDE       512
#define ATLAS_SIDE_LARGE 1024

#define SLOTS 2048 /* of the glyph table; a power of two */

static const int SIZES_PX[FR_TEXT_STYLE_COUNT] = {12, 13, 10};
static const uint32_t COLORS[FR_TEXT_COLOR_COUNT] = {FR_COLOR_TEXT, FR_COLOR_MUTED, FR_COLOR_WARNING};

/* Where systems keep DejaVu Sans Mono, or something like it. */
static const char *const SYSTEM_FONTS[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
    "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
    "/usr/share/fonts/dejavu/DejaVuSansMono.ttf",
    "/usr/local/share/fonts/dejavu/DejaVuSansMono.ttf",
    "/System/Library/Fonts/Menlo.ttc",
    "C:/Windows/Fonts/consola.ttf",
};

/* For letters that the first font lacks. */
static const char *const FALLBACK_FONTS[] = {
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf",
    "/usr/share/fonts/truetype/unifont/unifont.ttf",
    "/usr/share/fonts/truetype/freefont/FreeMono.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/System/Library/Fonts/Hiragino Sans GB.ttc",
    "C:/Windows/Fonts/msgothic.ttc",
};
#define FALLBACK_COUNT ((int)(sizeof FALLBACK_FONTS / sizeof *FALLBACK_FONTS))

typedef struct text_glyph {
    uint32_t key; /* code point, style and colour; 0 = free */
    fr_rect place;
    int8_t dx, dy; /* of the picture from the pen and the line's top */
    int16_t advance;
} text_glyph;

struct fr_text {
    fr_canvas *canvas;
    TTF_Font *fonts[FR_TEXT_STYLE_COUNT]; /* null: no text */
    TTF_Font *fallbacks[FALLBACK_COUNT];
    bool fallback_tried[FALLBACK_COUNT];
    bool library;
    float scale;
    int column_px[FR_TEXT_STYLE_COUNT], line_px[FR_TEXT_STYLE_COUNT];
    fr_picture *atlas;
    int side, pen_x, pen_y, shelf; /* shelf packing */
    text_glyph glyphs[SLOTS];
    int glyph_count;
};

static int scaled_px(float scale, int size_px)
{
    int px = (int)((float)size_px * scale + 0.5f);
    return px < 6 ? 6 : px;
}

static TTF_Font *open_font(const char *path, int size_px)
{
    /* Points are pixels: SDL2_ttf opens fonts at 72 dots per inch. */
    return path == NULL ? NULL : TTF_OpenFont(path, size_px);
}

/* The first font that opens; its path goes to `path`. */
static bool find_font(const char *font_path, const char *data_dir, char *path, size_t size)
{
    for (int i = -2; i < (int)(sizeof SYSTEM_FONTS / sizeof *SYSTEM_FONTS); i++) {
        if (i == -2) {
            snprintf(path, size, "%s", font_path == NULL ? "" : font_path);
        } else if (i == -1) {
            snprintf(path, size, "%s/fonts/DejaVuSansMono.ttf", data_dir == NULL ? "" : data_dir);
        } else {
            snprintf(path, size, "%s", SYSTEM_FONTS[i]);
        }
        bool asked = i == -2 ? font_path != NULL : i != -1 || data_dir != NULL;
        TTF_Font *font = asked ? open_font(path, 12) : NULL;
        if (font != NULL) {
            TTF_CloseFont(font);
            return true;
        }
    }
    return false;
}

static void open_fonts(fr_text *text, const char *path)
{
    for (int style = 0; style < FR_TEXT_STYLE_COUNT; style++) {
        TTF_Font *font = open_font(path, scaled_px(text->scale, SIZES_PX[style]));
        text->fonts[style] = font;
        if (font == NULL) {
            continue;
        }
        int advance = 0;
        TTF_GlyphMetrics32(font, '0', NULL, NULL, NULL, NULL, &advance);
        if (style == FR_TEXT_BOLD) {
            TTF_SetFontStyle(font, TTF_STYLE_BOLD); /* after measuring: it would widen the column */
        }
        text->column_px[style] = advance > 0 ? advance : text->column_px[style];
        text->line_px[style] = TTF_FontHeight(font);
    }
}

fr_text *fr_text_create(fr_canvas *canvas, const char *font_path, const char *data_dir, float scale,
                        void (*warn)(void *self, const char *line), void *warn_self)
{
    fr_text *text = fr_alloc(1, sizeof *text);
    text->canvas = canvas;
    text->scale = scale;
    text->side = scale > 1.0f ? ATLAS_SIDE_LARGE : ATLAS_SIDE;
    for (int style = 0; style < FR_TEXT_STYLE_COUNT; style++) {
        int size = scaled_px(scale, SIZES_PX[style]);
        text->column_px[style] = (size * 6 + 5) / 10;
        text->line_px[style] = size + size / 6;
    }
    text->library = TTF_Init() == 0;
    char path[1024], line[1280];
    if (!text->library || !find_font(font_path, data_dir, path, sizeof path)) {
        if (warn != NULL) {
            warn(warn_self, "no font found (--font FILE names one): the game goes on without text");
        }
        return text;
    }
    if (font_path != NULL && SDL_strcmp(path, font_path) != 0 && warn != NULL) {
        snprintf(line, sizeof line, "%s: font not opened, using %s", font_path, path);
        warn(warn_self, line);
    }
    open_fonts(text, path);
    return text;
}

/* Empties the table; the picture stays, for a draw list may name it. */
static void forget_glyphs(fr_text *text)
{
    SDL_zeroa(text->glyphs);
    text->glyph_count = text->pen_x = text->pen_y = text->shelf = 0;
}

void fr_text_flush(fr_text *text)
{
    fr_picture_destroy(text->atlas);
    text->atlas = NULL;
    forget_glyphs(text);
}

void fr_text_destroy(fr_text *text)
{
    if (text == NULL) {
        return;
    }
    fr_text_flush(text);
    for (int i = 0; i < FALLBACK_COUNT; i++) {
        if (text->fallbacks[i] != NULL) {
            TTF_CloseFont(text->fallbacks[i]);
        }
    }
    for (int style = 0; style < FR_TEXT_STYLE_COUNT; style++) {
        if (text->fonts[style] != NULL) {
            TTF_CloseFont(text->fonts[style]);
        }
    }
    if (text->library) {
        TTF_Quit();
    }
    fr_free(text);
}

int fr_text_column_px(const fr_text *text, fr_text_style style)
{
    return text->column_px[style];
}

int fr_text_line_px(const fr_text *text, fr_text_style style)
{
    return text->line_px[style];
}

static TTF_Font *font_for(fr_text *text, fr_text_style style, uint32_t code)
{
    if (TTF_GlyphIsProvided32(text->fonts[style], code)) {
        return text->fonts[style];
    }
    for (int i = 0; i < FALLBACK_COUNT; i++) {
        if (!text->fallback_tried[i]) {
            text->fallback_tried[i] = true;
            text->fallbacks[i] =
                open_font(FALLBACK_FONTS[i], scaled_px(text->scale, SIZES_PX[FR_TEXT_PLAIN]));
        }
        if (text->fallbacks[i] != NULL && TTF_GlyphIsProvided32(text->fallbacks[i], code)) {
            return text->fallbacks[i];
        }
    }
    return text->fonts[style];
}

/* Room for a picture in the atlas; when it is full all glyphs are baked anew as they are needed. */
static fr_rect take_room(fr_text *text, int width, int height)
{
    if (text->pen_x + width > text->side) {
        text->pen_x = 0;
        text->pen_y += text->shelf;
        text->shelf = 0;
    }
    if (text->pen_y + height > text->side || text->glyph_count > SLOTS / 2) {
        forget_glyphs(text);
    }
    if (text->atlas == NULL) {
        text->atlas = fr_picture_create(text->canvas, text->side, text->side, false);
    }
    fr_rect place = {text->pen_x, text->pen_y, width, height};
    text->pen_x += width;
    text->shelf = height > text->shelf ? height : text->shelf;
    return place;
}

static uint32_t mask_at(const SDL_Surface *mask, int x, int y)
{
    if (x < 0 || y < 0 || x >= mask->w || y >= mask->h) {
        return 0;
    }
    const uint32_t *row =
        (const uint32_t *)(const void *)((const char *)mask->pixels + (size_t)y * (size_t)mask->pitch);
    return row[x] >> 24;
}

/* Greatest coverage among a pixel's neighbours: the outline's. */
static uint32_t mask_round(const SDL_Surface *mask, int x, int y)
{
    uint32_t most = 0;
    for (int i = 0; i < 9; i++) {
        uint32_t alpha = mask_at(mask, x + i % 3 - 1, y + i / 3 - 1);
        most = alpha > most ? alpha : most;
    }
    return most;
}

static void bake(fr_text *text, fr_text_style style, fr_text_color color, const SDL_Surface *mask,
                 text_glyph *glyph)
{
    int border = style == FR_TEXT_NUMBER ? 1 : 0;
    int width = mask->w + 2 * border, height = mask->h + 2 * border;
    if (width > text->side || height > text->side) {
        return;
    }
    uint32_t *pixels = fr_alloc((size_t)width * (size_t)height, sizeof *pixels);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint32_t pixel = 0;
            if (border > 0) {
                pixel = fr_argb_with_alpha(FR_COLOR_OUTLINE,
                                           mask_round(mask, x - border, y - border) * 150 / 255);
            }
            uint32_t share = mask_at(mask, x - border, y - border);
            pixels[y * width + x] = fr_argb_over(pixel, COLORS[color], share + (share >> 7));
        }
    }
    fr_picture_update(text->atlas, glyph->place, pixels, width);
    fr_free(pixels);
}

static text_glyph *slot_of(fr_text *text, uint32_t key)
{
    uint32_t i = key * 2654435761u >> 21;
    while (text->glyphs[i].key != 0 && text->glyphs[i].key != key) {
        i = (i + 1) & (SLOTS - 1);
    }
    return &text->glyphs[i];
}

static const text_glyph *glyph_of(fr_text *text, fr_text_style style, fr_text_color color, uint32_t code)
{
    uint32_t key = code << 4 | (uint32_t)style << 2 | (uint32_t)color | 0x80000000u;
    text_glyph *found = slot_of(text, key);
    if (found->key != 0) {
        return found;
    }
    TTF_Font *font = font_for(text, style, code);
    SDL_Surface *drawn = TTF_RenderGlyph32_Blended(font, code, (SDL_Color){255, 255, 255, 255});
    SDL_Surface *mask = drawn == NULL ? NULL : SDL_ConvertSurfaceFormat(drawn, SDL_PIXELFORMAT_ARGB8888, 0);
    SDL_FreeSurface(drawn);
    int advance = text->column_px[style];
    TTF_GlyphMetrics32(font, code, NULL, NULL, NULL, NULL, &advance);
    int border = style == FR_TEXT_NUMBER ? 1 : 0;
    text_glyph made = {.key = key, .advance = (int16_t)advance, .dx = (int8_t)-border, .dy = (int8_t)-border};
    if (mask != NULL && mask->w > 0 && mask->h > 0) {
        made.place = take_room(text, mask->w + 2 * border, mask->h + 2 * border);
        bake(text, style, color, mask, &made);
    }
    SDL_FreeSurface(mask);
    found = slot_of(text, key); /* taking room may have emptied the table */
    *found = made;
    text->glyph_count++;
    return found;
}

/* Next code point of a string; a byte that is not UTF-8 counts as one replacement sign. */
static uint32_t next_code(const char **at)
{
    const unsigned char *s = (const unsigned char *)*at;
    int more = s[0] < 0x80                   ? 0
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 1
               : s[0] >= 0xe0 && s[0] < 0xf0 ? 2
               : s[0] >= 0xf0 && s[0] < 0xf5 ? 3
                                             : -1;
    uint32_t code = more == 0 ? s[0] : more == 1 ? s[0] & 0x1fu : more == 2 ? s[0] & 0x0fu : s[0] & 0x07u;
    for (int i = 1; i <= more; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            more = -1;
            break;
        }
        code = code << 6 | (s[i] & 0x3fu);
    }
    *at += more < 0 ? 1 : more + 1;
    bool odd =
        more < 0 || code < 0x20 || code == 0x7f || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
    return odd ? REPLACEMENT : code;
}

float fr_text_width(fr_text *text, fr_text_style style, const char *utf8)
{
    float width = 0.0f;
    while (*utf8 != '\0') {
        uint32_t code = next_code(&utf8);
        bool plain = code < 0x80 || text->fonts[style] == NULL;
        width +=
            (float)(plain ? text->column_px[style] : glyph_of(text, style, FR_TEXT_BRIGHT, code)->advance);
    }
    return width;
}

float fr_text_draw(fr_text *text, fr_draw_list *list, fr_text_style style, fr_text_color color, float x,
                   float y, const char *utf8)
{
    if (text->fonts[style] == NULL) {
        return fr_text_width(text, style, utf8);
    }
    /* Whole pixels: glyphs are baked without sub-pixel places. */
    float pen = (float)(int)(x + 0.5f), top = (float)(int)(y + 0.5f), begin = pen;
    while (*utf8 != '\0') {
        uint32_t code = next_code(&utf8);
        const text_glyph *glyph = glyph_of(text, style, color, code);
        if (glyph->place.width > 0 && code != ' ') {
            fr_draw_copy(list, text->atlas, pen + (float)glyph->dx, top + (float)glyph->dy, glyph->place);
        }
        pen += (float)(code < 0x80 ? text->column_px[style] : glyph->advance);
    }
    return pen - begin;
}
