#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void fr_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
