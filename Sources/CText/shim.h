#pragma once
// What of the C library's wide characters Swift's Glibc module leaves out.

#include <iconv.h>
#include <wchar.h>

// glibc declares it only under _XOPEN_SOURCE.
extern int wcwidth(wchar_t c);
