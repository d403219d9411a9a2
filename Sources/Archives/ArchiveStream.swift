import Basics
import CArchive
import Glibc

/// A range of a file, read without a shared file offset, so that several readers may use one descriptor at once.
struct FileRange {
    /// The file descriptor; must stay open for as long as the range is used.
    let file: Int32
    var start: Int
    var count: Int

    /// Reads up to `limit` bytes from `offset` on; returns fewer at the end, or after an error.
    func bytes(at offset: Int = 0, atMost limit: Int) -> [UInt8] {
        let wanted = max(0, min(limit, count - offset))
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, got in
            while got < wanted {
                let more = pread(
                    file, buffer.baseAddress.map { $0 + got }, wanted - got,
                    off_t(start + offset + got))
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { return }
                got += more
            }
        }
    }
}

/// The source that libarchive reads from: a range of a file, or bytes.
private final class ArchiveInput {
    enum Source {
        case file(FileRange)
        case bytes([UInt8])
    }

    let source: Source
    var at = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)

    init(_ source: Source) { self.source = source }

    deinit { buffer.deallocate() }

    var count: Int {
        switch source {
        case .file(let range): range.count
        case .bytes(let bytes): bytes.count
        }
    }

    func read() -> Int {
        let wanted = min(buffer.count, max(0, count - at))
        var got = wanted
        switch source {
        case .file(let range):
            repeat {
                got = pread(range.file, buffer.baseAddress, wanted, off_t(range.start + at))
            } while got < 0 && errno == EINTR
        case .bytes(let bytes): buffer.copyBytes(from: bytes[at..<at + wanted])
        }
        at += max(0, got)
        return got
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> ArchiveInput? {
        context.map { Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Iterates over an archive's entries with libarchive; used by one thread at a time.
///
/// Formats and filters are enabled one by one; none of them starts a program.
final class ArchiveStream: @unchecked Sendable {
    // @unchecked: those that several threads could reach lie under the lock of their archive, which hands each to one of them.

    enum Form {
        /// An archive of named entries.
        case files
        /// A compressed file of any content, as a single entry.
        case compressed
    }

    struct Header {
        /// The name as stored in the archive, valid or not.
        var name: [UInt8]
        /// The size in bytes, if known.
        var count: Int?
        /// The modification time in seconds since 1970.
        var changed: Int?
        var isFile: Bool
        var isEncrypted: Bool
    }

    private let handle: OpaquePointer
    private let input: ArchiveInput

    /// Filters built into the library; for others it would start an external program, which it reports by ARCHIVE_WARN.
    private static let filters = [
        archive_read_support_filter_gzip, archive_read_support_filter_xz,
        archive_read_support_filter_zstd,
    ].filter { support in
        guard let handle = archive_read_new() else { return false }
        defer { archive_read_free(handle) }
        return support(handle) == ARCHIVE_OK
    }

    convenience init(_ range: FileRange, _ form: Form = .files) throws(ArchiveError) {
        try self.init(ArchiveInput(.file(range)), form)
    }

    convenience init(_ bytes: [UInt8], _ form: Form) throws(ArchiveError) {
        try self.init(ArchiveInput(.bytes(bytes)), form)
    }

    private init(_ input: ArchiveInput, _ form: Form) throws(ArchiveError) {
        guard let handle = archive_read_new() else {
            throw .system(
                "reading it needs libarchive: apt install libarchive13, or similar")
        }
        self.handle = handle
        self.input = input
        for support in Self.filters { _ = support(handle) }
        archive_read_support_format_tar(handle)
        if form == .files {
            archive_read_support_format_zip(handle)
            archive_read_support_format_7zip(handle)
            archive_read_support_format_rar(handle)
            archive_read_support_format_rar5(handle)
        } else {
            archive_read_support_format_raw(handle)
        }
        setCallbacks()
        guard archive_read_open1(handle) == ARCHIVE_OK else { throw failure }
    }

    deinit { archive_read_free(handle) }

    private func setCallbacks() {
        archive_read_set_callback_data(handle, Unmanaged.passUnretained(input).toOpaque())
        archive_read_set_read_callback(handle) { _, context, place in
            guard let input = ArchiveInput.of(context) else { return -1 }
            place?.pointee = UnsafeRawPointer(input.buffer.baseAddress)
            return input.read()
        }
        archive_read_set_skip_callback(handle) { _, context, wanted in
            guard let input = ArchiveInput.of(context) else { return 0 }
            let skipped = max(0, min(Int(wanted), input.count - input.at))
            input.at += skipped
            return la_int64_t(skipped)
        }
        archive_read_set_seek_callback(handle) { _, context, offset, whence in
            guard let input = ArchiveInput.of(context) else { return la_int64_t(ARCHIVE_FATAL) }
            let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? input.at : input.count
            let (place, isTooFar) = base.addingReportingOverflow(Int(offset))
            guard !isTooFar, (0...input.count).contains(place) else {
                return la_int64_t(ARCHIVE_FATAL)
            }
            input.at = place
            return la_int64_t(place)
        }
    }

    /// Whether any entry can be reached without unpacking those before it.
    var isSeekable: Bool {
        let format = archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK
        return format == ARCHIVE_FORMAT_ZIP
            || format == ARCHIVE_FORMAT_TAR && archive_filter_count(handle) <= 1
    }

    /// Whether the compressed content is not itself an archive.
    var isRaw: Bool { archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_RAW }

    /// Returns the next entry's header; nil after the last.
    ///
    /// Runs in a UTF-8 locale, as libarchive loses letters of names in any other.
    func next() throws(ArchiveError) -> Header? {
        try inUnicodeLocale { () throws(ArchiveError) in try readHeader() }
    }

    private func readHeader() throws(ArchiveError) -> Header? {
        var entry: OpaquePointer?
        let status = archive_read_next_header(handle, &entry)
        if status == ARCHIVE_EOF { return nil }
        guard status >= ARCHIVE_WARN, let entry else { throw failure }
        let name = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)
        let isLink = archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil
        let type = archive_entry_filetype(entry)
        let size = archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil
        return Header(
            name: name.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? [],
            count: size.flatMap { $0 >= 0 ? min($0, 1 << 48) : nil },
            changed: archive_entry_mtime_is_set(entry) != 0 ? archive_entry_mtime(entry) : nil,
            isFile: !isLink && (type == S_IFREG || type == 0),
            isEncrypted: archive_entry_is_encrypted(entry) != 0)
    }

    /// Passes the entry's data to `receive` until that returns false; throws if there are more than `limit` bytes.
    func read(
        atMost limit: Int, _ receive: (UnsafeRawBufferPointer) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { chunk.deallocate() }
        var left = limit
        while true {
            let got = archive_read_data(handle, chunk.baseAddress, chunk.count)
            guard got >= 0 else { throw failure }
            guard got > 0 else { return }
            left -= got
            guard left >= 0 else { throw .tooLarge(limit: limit) }
            guard try receive(UnsafeRawBufferPointer(rebasing: chunk[..<got])) else { return }
        }
    }

    /// Returns all data of the entry.
    func contents(atMost limit: Int) throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(atMost: limit) {
            bytes += $0
            return true
        }
        return bytes
    }

    private var failure: ArchiveError {
        let words = archive_error_string(handle).map { String(cString: $0) } ?? "cut off"
        let text = words.withoutControls
        return text.lowercased().contains("encrypt") || text.contains("assphrase")
            ? .encrypted : .damaged(text)
    }
}
