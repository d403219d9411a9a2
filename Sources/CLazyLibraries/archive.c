#include "lazy.h"
#include <archive.h>
#include <archive_entry.h>

#define LIBRARY HALFTONE_LIBARCHIVE

typedef struct archive archive;
typedef struct archive_entry entry;

LAZY0(archive *, archive_read_new)
LAZY1(int, archive_read_free, archive *)
LAZY1(int, archive_read_support_filter_gzip, archive *)
LAZY1(int, archive_read_support_filter_xz, archive *)
LAZY1(int, archive_read_support_filter_zstd, archive *)
LAZY1(int, archive_read_support_format_7zip, archive *)
LAZY1(int, archive_read_support_format_rar, archive *)
LAZY1(int, archive_read_support_format_rar5, archive *)
LAZY1(int, archive_read_support_format_raw, archive *)
LAZY1(int, archive_read_support_format_tar, archive *)
LAZY1(int, archive_read_support_format_zip_seekable, archive *)
LAZY1(int, archive_read_support_format_zip_streamable, archive *)
LAZY2(int, archive_read_set_read_callback, archive *, archive_read_callback *)
LAZY2(int, archive_read_set_seek_callback, archive *, archive_seek_callback *)
LAZY2(int, archive_read_set_skip_callback, archive *, archive_skip_callback *)
LAZY2(int, archive_read_set_callback_data, archive *, void *)
LAZY1(int, archive_read_open1, archive *)
LAZY2(int, archive_read_next_header, archive *, entry **)
LAZY3(la_ssize_t, archive_read_data, archive *, void *, size_t)
LAZY4(int, archive_read_data_block, archive *, const void **, size_t *, la_int64_t *)
LAZY1(int, archive_filter_count, archive *)
LAZY1(int, archive_format, archive *)
LAZY1(const char *, archive_error_string, archive *)

LAZY1(__LA_MODE_T, archive_entry_filetype, entry *)
LAZY1(const char *, archive_entry_hardlink, entry *)
LAZY1(const char *, archive_entry_symlink, entry *)
LAZY1(const char *, archive_entry_pathname, entry *)
LAZY1(const char *, archive_entry_pathname_utf8, entry *)
LAZY1(la_int64_t, archive_entry_size, entry *)
LAZY1(int, archive_entry_size_is_set, entry *)
LAZY1(time_t, archive_entry_mtime, entry *)
LAZY1(int, archive_entry_mtime_is_set, entry *)
LAZY1(int, archive_entry_is_encrypted, entry *)
