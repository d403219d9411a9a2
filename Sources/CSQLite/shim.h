#pragma once
#include <sqlite3.h>
/* statfs, which the Glibc module lacks. */
#include <sys/vfs.h>
