import Basics
import CArchive
import Glibc

/// Writes an archive with libarchive, without compression in a zip; used by one thread.
public final class ArchiveWriter {
    private let handle: OpaquePointer

    /// Begins an archive at the place of an open file: a zip, or a member of gzip, which has a single entry.
    public init(to descriptor: Int32, isZip: Bool) throws(ArchiveError) {
        guard let handle = archive_write_new() else {
            throw .system("writing it needs libarchive: apt install libarchive13, or similar")
        }
        self.handle = handle
        if isZip {
            archive_write_set_format_zip(handle)
            archive_write_zip_set_compression_store(handle)
        } else {
            archive_write_set_format_raw(handle)
            archive_write_add_filter_gzip(handle)
        }
        try check(archive_write_open_fd(handle, descriptor) == ARCHIVE_OK)
    }

    deinit { archive_write_free(handle) }

    /// Adds a file.
    public func add(_ name: String, _ bytes: [UInt8]) throws(ArchiveError) {
        let entry = archive_entry_new()
        defer { archive_entry_free(entry) }
        archive_entry_set_filetype(entry, S_IFREG)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_size(entry, la_int64_t(bytes.count))
        archive_entry_set_mtime(entry, time(nil), 0)
        try inUnicodeLocale { () throws(ArchiveError) in
            archive_entry_set_pathname(entry, name.cPath)
            try check(archive_write_header(handle, entry) >= ARCHIVE_WARN)
        }
        try check(archive_write_data(handle, bytes, bytes.count) == bytes.count)
    }

    /// Writes what is left, such as the directory.
    public func finish() throws(ArchiveError) {
        try check(archive_write_close(handle) == ARCHIVE_OK)
    }

    private func check(_ isWell: Bool) throws(ArchiveError) {
        guard !isWell else { return }
        let number = archive_errno(handle)
        throw .system(
            number > 0
                ? systemReason(number)
                : archive_error_string(handle).map { String(cString: $0) } ?? "out of memory")
    }
}
