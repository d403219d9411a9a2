public import Basics
import CArchive
import Glibc

/// Writes an archive with libarchive, nothing being compressed in a zip; used by one thread.
public final class ArchiveWriter {
    private let handle: OpaquePointer

    /// Begins an archive at the place of an open file: a zip, or one member of gzip for a single entry.
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
        try check(archive_write_open_fd(handle, descriptor))
    }

    deinit { archive_write_free(handle) }

    /// Adds an entry: `head`, then the contents of a file, then `tail`.
    public func add(
        _ name: String, _ head: [UInt8], _ file: OpenFile? = nil, _ tail: [UInt8] = []
    ) throws(ArchiveError) {
        guard let entry = archive_entry_new() else { throw .system("out of memory") }
        defer { archive_entry_free(entry) }
        let range = file?.range
        archive_entry_set_filetype(entry, S_IFREG)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_size(entry, la_int64_t(head.count + (range?.count ?? 0) + tail.count))
        let changed = file.map { $0.identity.modified / 1_000_000_000 } ?? time(nil)
        archive_entry_set_mtime(entry, changed, 0)
        try inUnicodeLocale { () throws(ArchiveError) in
            archive_entry_set_pathname(entry, name.cPath)
            try check(archive_write_header(handle, entry))
        }
        try write(head)
        var at = 0
        while let range, at < range.count {
            // As much as a pipe holds: few calls, little memory.
            let chunk = range.bytes(at: at, atMost: 64 << 10)
            guard !chunk.isEmpty else { throw .system("\(name) has changed") }
            try write(chunk)
            at += chunk.count
        }
        try write(tail)
    }

    /// Writes what is left, such as the directory.
    public func finish() throws(ArchiveError) { try check(archive_write_close(handle)) }

    private func write(_ bytes: [UInt8]) throws(ArchiveError) {
        guard archive_write_data(handle, bytes, bytes.count) == bytes.count else { throw failure }
    }

    private func check(_ status: Int32) throws(ArchiveError) {
        // A warning is that a name cannot be converted, which is kept as it is.
        if status < ARCHIVE_WARN { throw failure }
    }

    private var failure: ArchiveError {
        .system(
            archive_error_string(handle).map { String(cString: $0).withoutControls } ?? "failed")
    }
}
