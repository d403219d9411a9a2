#pragma once
#include <stdbool.h>

// Libraries for formats that not everybody has. They are loaded when the first such file is decoded: that takes 2 ms for
// libtiff and 20 for librsvg, which draws in two dozen others, and nobody pays it who has none.

// Opens the first of `names` that is there, up to a NULL; NULL if none is.
void *halftone_library_open(const char *const *names);

// Whether one of `names` seems to be there, without opening it: where libjpeg lies, other libraries lie too.
bool halftone_library_is_near(const char *const *names);

// Puts the address of a function of the library into *function; false if it has none.
bool halftone_library_find(void *library, const char *name, void *function);

// For lists of functions: `FIELD` declares a pointer of each function's own type, `FIND` fills it.
#define HALFTONE_FIELD(name) __typeof__(&name) name;
#define HALFTONE_FIND(name) && halftone_library_find(library, #name, &functions.name)
