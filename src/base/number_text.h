/* number_text: numbers as people and files write them. */
#ifndef FR_BASE_NUMBER_TEXT_H
#define FR_BASE_NUMBER_TEXT_H

#define FR_NUMBER_TEXT_BYTES 40

/* The shortest decimal that reads back as exactly this number, which must be finite: 0.1, not
 * 0.10000000000000001. Any thread. */
void fr_number_text(double number, char out[FR_NUMBER_TEXT_BYTES]);

#endif
