/* judge: the report of a run from its positions file and its scenario. */
#ifndef FR_TOOLS_JUDGE_H
#define FR_TOOLS_JUDGE_H

/* Prints it to stdout. Returns the exit code; what is wrong is told as one line. */
int fr_judge_positions(const char *program, const char *positions, const char *scenario);

#endif
