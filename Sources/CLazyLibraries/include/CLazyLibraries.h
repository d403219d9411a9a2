#pragma once
#include <stdbool.h>

// The functions of libcurl and libarchive that Halftone calls, under their own names: each opens its library at its first call. Along with
// its own dependencies, libcurl adds 3 milliseconds to the start of a process, more than half of the loader's time, and viewing a folder
// needs neither library.
//
// If its library is missing, a function returns 0 or NULL, so that the first call of a sequence, such as curl_multi_init, fails.

// Opens libcurl now; false if it is missing or broken.
bool halftone_open_curl(void);
