/* row_pass: how the passes over rows of cells are compiled: one lane a cell, without a branch, into the
 * widest vectors that the machine turns out to have. All forms give the same bits: only integers are
 * compared. Internal to field/. */
#ifndef FR_FIELD_ROW_PASS_H
#define FR_FIELD_ROW_PASS_H

/* Not under the sanitizers: they are not ready when the loader makes this choice. clang 14 accepts the
 * attribute but does not emit the functions. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&                 \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FR_WIDEST_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define FR_WIDEST_VECTORS
#endif

/* Inlined, the rows would be seen to overlap, and values would be carried from cell to cell instead. */
#if defined(__GNUC__)
#define FR_NOT_INLINED __attribute__((noinline))
#else
#define FR_NOT_INLINED
#endif

#endif
