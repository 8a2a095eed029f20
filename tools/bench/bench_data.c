#include "bench_data.h"

#include <SDL.h>

#include "files/data_dir.h"

char *fr_bench_data(const char *name, fr_error *error)
{
    char *program = SDL_GetBasePath();
    char *found = fr_data_find(&(fr_data_places){.current = ".", .program = program}, name, error);
    SDL_free(program);
    return found;
}
