#pragma once
#include <stdbool.h>

// Libraries that are opened when they are first needed. Along with its own dependencies, libcurl adds 3 milliseconds to the start of a
// process, more than half of the loader's time, and viewing a folder needs neither it nor libarchive nor libsqlite3.
//
// The functions of libcurl, libarchive and libsqlite3 that Halftone calls are defined here under their own names. If its library is missing, a function
// returns 0 or NULL, so that the first call of a sequence, such as curl_multi_init, fails.

typedef enum {
    HALFTONE_LIBARCHIVE, HALFTONE_LIBCURL, HALFTONE_LIBTIFF, HALFTONE_LIBAVIF, HALFTONE_LIBJXL, HALFTONE_LIBRSVG,
    HALFTONE_LIBHEIF, HALFTONE_LIBAVFORMAT, HALFTONE_LIBSWSCALE, HALFTONE_LIBSQLITE, HALFTONE_LIBPOPPLER,
} halftone_library;

// A library function and the pointer that receives its address.
typedef struct {
    const char *name;
    void *place;
} halftone_function;

// The file names that a library may have, the newest first and NULL last.
const char *const *halftone_library_names(halftone_library library);

// Opens a library and looks its functions up, terminated by one without a name; false if no version of it has all of them. It stays open.
bool halftone_load(halftone_library library, const halftone_function *functions);

// Opens libcurl now; false if it is missing or broken.
bool halftone_open_curl(void);
