#pragma once
// The parts of the C library that Swift's Glibc module leaves out: wide characters, the heap, and file systems.

#include <iconv.h>
#include <malloc.h>
#include <sys/vfs.h>
#include <wchar.h>

// glibc declares wcwidth only under _XOPEN_SOURCE.
extern int wcwidth(wchar_t c);
