#pragma once
// What of the C library Swift's Glibc module leaves out: wide characters, and the heap.

#include <iconv.h>
#include <malloc.h>
#include <wchar.h>

// glibc declares it only under _XOPEN_SOURCE.
extern int wcwidth(wchar_t c);
