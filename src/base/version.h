/* version: of all programs, the library, and files that carry one. */
#ifndef FR_BASE_VERSION_H
#define FR_BASE_VERSION_H

#define FR_VERSION "0.1.0"

#endif
