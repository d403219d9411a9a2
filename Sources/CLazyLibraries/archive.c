#include "lazy.h"
#include <archive.h>
#include <archive_entry.h>

#define LIBRARY HALFTONE_LIBARCHIVE

typedef struct archive archive;
typedef struct archive_entry entry;

// A function that takes an archive alone and returns a status or a number.
#define OF_ARCHIVE(name) LAZY1(int, name, archive *)
// A function that takes an entry alone.
#define OF_ENTRY(type, name) LAZY1(type, name, entry *)

LAZY0(archive *, archive_read_new)
OF_ARCHIVE(archive_read_free)
LAZY2(int, archive_read_append_filter, archive *, int)
OF_ARCHIVE(archive_read_support_filter_bzip2)
OF_ARCHIVE(archive_read_support_filter_gzip)
OF_ARCHIVE(archive_read_support_filter_lzip)
OF_ARCHIVE(archive_read_support_filter_xz)
OF_ARCHIVE(archive_read_support_filter_zstd)
OF_ARCHIVE(archive_read_support_format_7zip)
OF_ARCHIVE(archive_read_support_format_rar)
OF_ARCHIVE(archive_read_support_format_rar5)
OF_ARCHIVE(archive_read_support_format_raw)
OF_ARCHIVE(archive_read_support_format_tar)
OF_ARCHIVE(archive_read_support_format_zip_seekable)
OF_ARCHIVE(archive_read_support_format_zip_streamable)
LAZY2(int, archive_read_set_read_callback, archive *, archive_read_callback *)
LAZY2(int, archive_read_set_seek_callback, archive *, archive_seek_callback *)
LAZY2(int, archive_read_set_skip_callback, archive *, archive_skip_callback *)
LAZY2(int, archive_read_set_callback_data, archive *, void *)
OF_ARCHIVE(archive_read_open1)
LAZY2(int, archive_read_next_header, archive *, entry **)
LAZY3(la_ssize_t, archive_read_data, archive *, void *, size_t)
LAZY4(int, archive_read_data_block, archive *, const void **, size_t *, la_int64_t *)
OF_ARCHIVE(archive_format)
LAZY1(const char *, archive_error_string, archive *)
OF_ARCHIVE(archive_errno)

LAZY0(archive *, archive_write_new)
OF_ARCHIVE(archive_write_free)
OF_ARCHIVE(archive_write_set_format_raw)
OF_ARCHIVE(archive_write_set_format_zip)
OF_ARCHIVE(archive_write_zip_set_compression_store)
OF_ARCHIVE(archive_write_add_filter_gzip)
LAZY2(int, archive_write_open_fd, archive *, int)
LAZY2(int, archive_write_header, archive *, entry *)
LAZY3(la_ssize_t, archive_write_data, archive *, const void *, size_t)
OF_ARCHIVE(archive_write_close)

OF_ENTRY(__LA_MODE_T, archive_entry_filetype)
OF_ENTRY(const char *, archive_entry_hardlink)
OF_ENTRY(const char *, archive_entry_symlink)
OF_ENTRY(const char *, archive_entry_pathname)
OF_ENTRY(const char *, archive_entry_pathname_utf8)
OF_ENTRY(la_int64_t, archive_entry_size)
OF_ENTRY(int, archive_entry_size_is_set)
OF_ENTRY(time_t, archive_entry_mtime)
OF_ENTRY(int, archive_entry_mtime_is_set)
OF_ENTRY(int, archive_entry_is_encrypted)

LAZY0(entry *, archive_entry_new)
OF_ENTRY(void, archive_entry_free)
LAZY2(void, archive_entry_set_pathname, entry *, const char *)
LAZY2(void, archive_entry_set_filetype, entry *, unsigned)
LAZY2(void, archive_entry_set_perm, entry *, __LA_MODE_T)
LAZY2(void, archive_entry_set_size, entry *, la_int64_t)
LAZY3(void, archive_entry_set_mtime, entry *, time_t, long)
