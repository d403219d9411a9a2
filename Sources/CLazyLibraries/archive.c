#include "lazy.h"
#include <archive.h>
#include <archive_entry.h>

#define LIBRARY "libarchive.so.13"

typedef struct archive archive;
typedef struct archive_entry entry;

LAZY(archive *, archive_read_new, (void), ())
LAZY(int, archive_read_free, (archive *archive), (archive))
LAZY(int, archive_read_support_filter_gzip, (archive *archive), (archive))
LAZY(int, archive_read_support_filter_xz, (archive *archive), (archive))
LAZY(int, archive_read_support_filter_zstd, (archive *archive), (archive))
LAZY(int, archive_read_support_format_7zip, (archive *archive), (archive))
LAZY(int, archive_read_support_format_rar, (archive *archive), (archive))
LAZY(int, archive_read_support_format_rar5, (archive *archive), (archive))
LAZY(int, archive_read_support_format_raw, (archive *archive), (archive))
LAZY(int, archive_read_support_format_tar, (archive *archive), (archive))
LAZY(int, archive_read_support_format_zip_seekable, (archive *archive), (archive))
LAZY(int, archive_read_support_format_zip_streamable, (archive *archive), (archive))
LAZY(int, archive_read_set_read_callback, (archive *archive, archive_read_callback *read), (archive, read))
LAZY(int, archive_read_set_seek_callback, (archive *archive, archive_seek_callback *seek), (archive, seek))
LAZY(int, archive_read_set_skip_callback, (archive *archive, archive_skip_callback *skip), (archive, skip))
LAZY(int, archive_read_set_callback_data, (archive *archive, void *context), (archive, context))
LAZY(int, archive_read_open1, (archive *archive), (archive))
LAZY(int, archive_read_next_header, (archive *archive, entry **entry), (archive, entry))
LAZY(la_ssize_t, archive_read_data, (archive *archive, void *bytes, size_t count), (archive, bytes, count))
LAZY(int, archive_read_data_block, (archive *archive, const void **block, size_t *count, la_int64_t *offset), (archive, block, count, offset))
LAZY(int, archive_filter_count, (archive *archive), (archive))
LAZY(int, archive_format, (archive *archive), (archive))
LAZY(const char *, archive_error_string, (archive *archive), (archive))

LAZY(__LA_MODE_T, archive_entry_filetype, (entry *entry), (entry))
LAZY(const char *, archive_entry_hardlink, (entry *entry), (entry))
LAZY(const char *, archive_entry_symlink, (entry *entry), (entry))
LAZY(const char *, archive_entry_pathname, (entry *entry), (entry))
LAZY(const char *, archive_entry_pathname_utf8, (entry *entry), (entry))
LAZY(la_int64_t, archive_entry_size, (entry *entry), (entry))
LAZY(int, archive_entry_size_is_set, (entry *entry), (entry))
LAZY(time_t, archive_entry_mtime, (entry *entry), (entry))
LAZY(int, archive_entry_mtime_is_set, (entry *entry), (entry))
LAZY(int, archive_entry_is_encrypted, (entry *entry), (entry))
