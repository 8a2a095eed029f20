/* assert: programmer errors. FR_ASSERT stays on in release builds; FR_VALIDATE, for checks that cost more
 * than what they check, only where FR_DEBUG is defined. */
#ifndef FR_BASE_ASSERT_H
#define FR_BASE_ASSERT_H

/* Prints file, line and condition to stderr and aborts. */
_Noreturn void fr_assert_failed(const char *condition, const char *file, int line);

#define FR_ASSERT(condition) ((condition) ? (void)0 : fr_assert_failed(#condition, __FILE__, __LINE__))

#ifdef FR_DEBUG
#define FR_VALIDATE(condition) FR_ASSERT(condition)
#else
#define FR_VALIDATE(condition) ((void)0)
#endif

#endif
