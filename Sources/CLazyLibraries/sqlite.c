#include "lazy.h"
#include <sqlite3.h>

#define LIBRARY HALFTONE_LIBSQLITE

LAZY4(int, sqlite3_open_v2, const char *, sqlite3 **, int, const char *)
LAZY1(int, sqlite3_close_v2, sqlite3 *)
LAZY3(int, sqlite3_limit, sqlite3 *, int, int)
LAZY1(const char *, sqlite3_errmsg, sqlite3 *)
LAZY5(int, sqlite3_exec, sqlite3 *, const char *, sqlite3_callback, void *, char **)

LAZY5(int, sqlite3_prepare_v2, sqlite3 *, const char *, int, sqlite3_stmt **, const char **)
LAZY5(int, sqlite3_bind_text, sqlite3_stmt *, int, const char *, int, sqlite3_destructor_type)
LAZY1(int, sqlite3_step, sqlite3_stmt *)
LAZY1(int, sqlite3_column_count, sqlite3_stmt *)
LAZY2(const unsigned char *, sqlite3_column_text, sqlite3_stmt *, int)
LAZY1(int, sqlite3_reset, sqlite3_stmt *)
LAZY1(int, sqlite3_finalize, sqlite3_stmt *)
