#include "mapio/lines.h"

#include <string.h>

bool fr_lines_next(fr_lines *lines, fr_line *out)
{
    if (lines->left == 0) {
        return false;
    }
    const char *end = memchr(lines->at, '\n', lines->left);
    size_t length = end != NULL ? (size_t)(end - lines->at) : lines->left;
    size_t taken = end != NULL ? length + 1 : length;
    *out = (fr_line){lines->at, length, ++lines->number};
    if (length > 0 && out->text[length - 1] == '\r') {
        out->length--;
    }
    lines->at += taken;
    lines->left -= taken;
    return true;
}

bool fr_line_after(const fr_line *line, const char *word, fr_line *rest)
{
    size_t length = strlen(word);
    if (line->length < length || memcmp(line->text, word, length) != 0) {
        return false;
    }
    *rest = (fr_line){line->text + length, line->length - length, line->number};
    if (rest->length > 0 && *rest->text != ' ' && *rest->text != '\t') {
        return false;
    }
    while (rest->length > 0 && (*rest->text == ' ' || *rest->text == '\t')) {
        rest->text++;
        rest->length--;
    }
    return true;
}

bool fr_line_is(const fr_line *line, const char *text)
{
    return line->length == strlen(text) && memcmp(line->text, text, line->length) == 0;
}

bool fr_line_int(const fr_line *line, int32_t *out)
{
    int32_t number = 0;
    if (line->length < 1 || line->length > 9) {
        return false;
    }
    for (size_t i = 0; i < line->length; i++) {
        if (line->text[i] < '0' || line->text[i] > '9') {
            return false;
        }
        number = number * 10 + (line->text[i] - '0');
    }
    *out = number;
    return true;
}
