#pragma once
// Without this, wide characters do not exist; as functions, the macros can be called from Swift.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
