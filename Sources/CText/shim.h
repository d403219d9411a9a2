#pragma once
// The parts of the C library that Swift's Glibc module leaves out: wide characters, and the heap.

#include <iconv.h>
#include <malloc.h>
#include <wchar.h>

// glibc declares wcwidth only under _XOPEN_SOURCE.
extern int wcwidth(wchar_t c);
