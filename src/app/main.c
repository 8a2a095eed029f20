/* main: where the process begins and ends. */
#include <SDL.h> /* on some systems it renames main */

#include "app/app.h"
#include "app/clock.h"

int main(int argc, char **argv)
{
    return fr_app_run(argc, argv, fr_real_now_ns());
}
