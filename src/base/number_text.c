#include "base/number_text.h"

#include <stdio.h>
#include <stdlib.h>

void fr_number_text(double number, char out[FR_NUMBER_TEXT_BYTES])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, FR_NUMBER_TEXT_BYTES, "%.*g", digits, number);
        if (strtod(out, NULL) == number) {
            return;
        }
    }
}
