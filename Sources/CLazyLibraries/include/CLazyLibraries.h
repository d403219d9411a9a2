#pragma once
#include <stdbool.h>

// The functions of libcurl and libarchive that Halftone calls, under their own names: each opens its library when it is
// first called. With all that libcurl needs itself, it costs the start of a process 3 milliseconds, more than half of what
// the loader spends, and who looks at a folder needs neither.
//
// Without its library a function returns 0 or NULL, so that what begins with it, such as curl_multi_init, fails.

// Opens libcurl now; false if it is not installed, or broken.
bool halftone_open_curl(void);
