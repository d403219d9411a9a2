#pragma once
// The parts of the C library that Swift's Glibc module leaves out: wide characters, the heap, and files.

#include <iconv.h>
#include <malloc.h>
#include <sys/vfs.h>
#include <wchar.h>

// glibc declares wcwidth only under _XOPEN_SOURCE.
extern int wcwidth(wchar_t c);

// glibc declares these only under _GNU_SOURCE; with the flag 1 the last replaces nothing.
extern int syncfs(int file);
extern int mkostemp(char *template, int flags);
extern int renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags);
