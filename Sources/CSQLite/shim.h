#pragma once
/* SQLite for Swift, which does not import SQLITE_TRANSIENT, a number as a function. */
#include <sqlite3.h>
/* For statfs, which the Glibc module lacks. */
#include <sys/vfs.h>

/* Sets a parameter, counted from 1, to a text of so many bytes, which SQLite copies. */
static inline int halftone_sqlite_bind(sqlite3_stmt *statement, int parameter, const char *text, int count) {
    return sqlite3_bind_text(statement, parameter, text, count, SQLITE_TRANSIENT);
}
