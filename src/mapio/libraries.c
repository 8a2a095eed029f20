/* libraries: which optional libraries are built in. Sees their headers for the version alone. */
#include "mapio/mapio.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

#ifdef FR_HAVE_ZLIB
#include <zlib.h>
#define ZLIB_PART ", zlib " ZLIB_VERSION
#else
#define ZLIB_PART ""
#endif

#ifdef FR_HAVE_ZSTD
#include <zstd.h>
#define ZSTD_PART ", zstd " ZSTD_VERSION_STRING
#else
#define ZSTD_PART ""
#endif

#ifdef FR_HAVE_EXPAT
#include <expat.h>
#define EXPAT_PART ", expat " TEXT(XML_MAJOR_VERSION) "." TEXT(XML_MINOR_VERSION) "." TEXT(XML_MICRO_VERSION)
#else
#define EXPAT_PART ""
#endif

const char *fr_mapio_libraries(void)
{
    /* Every part begins with a comma: the first one goes. */
    static const char parts[] = ZLIB_PART ZSTD_PART EXPAT_PART;
    return sizeof parts > 1 ? parts + 2 : "none";
}
