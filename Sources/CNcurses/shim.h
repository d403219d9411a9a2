#pragma once
// What of ncurses and the terminal driver Swift cannot call as it is: macros, variadics, unsafe globals.

// Without this, wide characters do not exist; as functions, the macros can be called from Swift.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <wchar.h>

// Globals that Swift 6 calls "not concurrency-safe".
static inline WINDOW *cn_stdscr(void) { return stdscr; }
static inline WINDOW *cn_curscr(void) { return curscr; }
static inline int cn_colors(void) { return COLORS; }
static inline int cn_lines(void) { return LINES; }
static inline int cn_columns(void) { return COLS; }

// Function-like or computed macros that do not import.
static inline attr_t cn_bold(void) { return WA_BOLD; }
static inline attr_t cn_dim(void) { return WA_DIM; }
static inline attr_t cn_underline(void) { return WA_UNDERLINE; }
static inline attr_t cn_reverse(void) { return WA_REVERSE; }

// Fills one cell; the pair goes through `opts`, because the short parameter holds no more than 32767.
static inline void cn_cell(cchar_t *cell, wchar_t glyph, attr_t attributes, int pair) {
    wchar_t text[2] = {glyph, 0};
    setcchar(cell, text, attributes, 0, &pair);
}

// The same with marks on the character; `text` ends with 0 and has at most CCHARW_MAX others.
static inline void cn_marked_cell(
    cchar_t *cell, const wchar_t *text, attr_t attributes, int pair) {
    setcchar(cell, text, attributes, 0, &pair);
}

// glibc declares both only under _GNU_SOURCE.
extern int memfd_create(const char *name, unsigned int flags);
extern int dup3(int from, int to, int flags);

// ioctl is variadic.
static inline int cn_window_size(int fd, struct winsize *size) {
    return ioctl(fd, TIOCGWINSZ, size);
}
