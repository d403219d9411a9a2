#pragma once
// The parts of ncurses and the terminal driver that Swift cannot use directly: macros, variadic functions, unsafe globals.

// The first enables wide characters; the second provides functions in place of macros, which Swift cannot call.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <wchar.h>

#if NCURSES_OPAQUE
// Where ncurses hides its windows (6.6), Swift would import pointers to them as another type. None is ever made or read here.
struct _win_st { char hidden; };
#endif

// Globals that Swift 6 rejects as "not concurrency-safe".
static inline WINDOW *cn_stdscr(void) { return stdscr; }
static inline WINDOW *cn_curscr(void) { return curscr; }
static inline int cn_colors(void) { return COLORS; }

// Function-like or computed macros, which Swift does not import.
static inline attr_t cn_bold(void) { return WA_BOLD; }
static inline attr_t cn_dim(void) { return WA_DIM; }
static inline attr_t cn_underline(void) { return WA_UNDERLINE; }
static inline attr_t cn_reverse(void) { return WA_REVERSE; }

// Fills one cell; the colour pair is passed through `opts`, because the short parameter is limited to 32767.
static inline void cn_cell(cchar_t *cell, wchar_t glyph, attr_t attributes, int pair) {
    wchar_t text[2] = {glyph, 0};
    setcchar(cell, text, attributes, 0, &pair);
}

// glibc declares both only under _GNU_SOURCE.
extern int memfd_create(const char *name, unsigned int flags);
extern int dup3(int from, int to, int flags);

// Swift cannot call ioctl, which is variadic.
static inline int cn_window_size(int fd, struct winsize *size) {
    return ioctl(fd, TIOCGWINSZ, size);
}
