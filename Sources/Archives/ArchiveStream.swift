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
        readBytes(max(0, min(limit, count - offset)), at: start + offset, of: file)
    }

    /// What precedes the last member of gzip, in which a record of the web was cut off, if that is in the last megabyte.
    var withoutLastMember: FileRange {
        var whole = self
        let start = max(0, count - 1 << 20)
        let tail = bytes(at: start, atMost: 1 << 20)
        whole.count =
            start + (tail.indices.last { tail[$0...].starts(with: [0x1F, 0x8B, 8]) } ?? 0)
        return whole
    }
}

/// The moment by which reading an archive must end, on an injectable clock of seconds.
struct Deadline {
    let seconds: Double
    private let end: Double
    private let clock: SecondsClock

    init(in seconds: Double, by clock: @escaping SecondsClock) {
        self.seconds = seconds
        self.clock = clock
        end = clock() + seconds
    }

    var isPast: Bool { clock() > end }

    /// The moment for what is begun now, by as many seconds.
    var anew: Deadline { Deadline(in: seconds, by: clock) }
}

/// The source that libarchive reads from: a range of a file, or bytes.
final class ArchiveInput {
    let count: Int
    /// Returns the bytes from an offset on, at most so many; fewer at the end, or after an error.
    private let bytes: (_ start: Int, _ limit: Int) -> ArraySlice<UInt8>
    var at = 0
    var deadline: Deadline?
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)

    init(_ file: FileRange) {
        count = file.count
        bytes = { file.bytes(at: $0, atMost: $1)[...] }
    }

    init(_ content: [UInt8]) {
        count = content.count
        bytes = { content[$0...].prefix($1) }
    }

    deinit { buffer.deallocate() }

    func read() -> Int {
        // Headers are looked for inside the library, which may unpack any amount of data before it finds one.
        if deadline?.isPast == true { return Int(ARCHIVE_FATAL) }
        let next = bytes(at, buffer.count)
        buffer.copyBytes(from: next)
        at += next.count
        return next.count
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

    enum Form: Equatable {
        /// A tar, 7z or RAR archive.
        case files
        /// A zip archive with its directory.
        case zip
        /// A zip archive without its directory, whose entries are found by unpacking those before them.
        case zipWithoutDirectory
        /// A tar archive within that filter, or else its content as a single entry.
        case compressed(Int32)
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
    private let form: Form
    /// The bytes that may be unpacked in total, also of what is skipped.
    private let allowance: Int
    private var unpackedCount = 0
    private var isInEntry = false

    /// Data packed more tightly than this is not worth its time: pictures are already compressed.
    private static let maxRatio = 100
    private static let freeBytes = 64 << 20

    /// Filters built into the library; for others it would start an external program, which it reports by ARCHIVE_WARN.
    private static let filters = [
        ARCHIVE_FILTER_GZIP: archive_read_support_filter_gzip,
        ARCHIVE_FILTER_BZIP2: archive_read_support_filter_bzip2,
        ARCHIVE_FILTER_LZIP: archive_read_support_filter_lzip,
        ARCHIVE_FILTER_XZ: archive_read_support_filter_xz,
        ARCHIVE_FILTER_ZSTD: archive_read_support_filter_zstd,
    ]

    init(
        _ input: ArchiveInput, _ form: Form, until deadline: Deadline? = nil
    ) throws(ArchiveError) {
        guard let handle = archive_read_new() else {
            throw .system(
                "reading it needs libarchive: apt install libarchive13, or similar")
        }
        self.handle = handle
        self.input = input
        self.form = form
        input.deadline = deadline
        allowance = Self.allowance(for: input.count)
        switch form {
        case .files:
            archive_read_support_format_tar(handle)
            archive_read_support_format_7zip(handle)
            archive_read_support_format_rar(handle)
            archive_read_support_format_rar5(handle)
        case .zip: archive_read_support_format_zip_seekable(handle)
        case .zipWithoutDirectory: archive_read_support_format_zip_streamable(handle)
        case .compressed(let filter):
            // No other is looked for, since one in another can fill the memory without being read.
            guard Self.filters[filter]?(handle) == ARCHIVE_OK,
                archive_read_append_filter(handle, filter) == ARCHIVE_OK
            else { throw failure }
            archive_read_support_format_tar(handle)
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
            // Too far a place wraps around to a negative one.
            let place = base &+ Int(offset)
            guard (0...input.count).contains(place) else { return la_int64_t(ARCHIVE_FATAL) }
            input.at = place
            return la_int64_t(place)
        }
    }

    /// The bytes that may be unpacked from an archive of `count` bytes.
    static func allowance(for count: Int) -> Int {
        let (product, isTooLarge) = count.multipliedReportingOverflow(by: maxRatio)
        return isTooLarge ? .max : freeBytes + min(product, .max - freeBytes)
    }

    /// Whether any entry can be reached without unpacking those before it.
    var isSeekable: Bool {
        form == .zip || form == .files && format == ARCHIVE_FORMAT_TAR
    }

    /// Whether the compressed content is not itself an archive.
    var isRaw: Bool { format == ARCHIVE_FORMAT_RAW }

    var isZip: Bool { format == ARCHIVE_FORMAT_ZIP }

    private var format: Int32 { archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK }

    /// Sets the moment by which what is read from now on must have been read.
    func extend(to deadline: Deadline) { input.deadline = deadline }

    /// Returns the next entry's header; nil after the last.
    ///
    /// Runs in a UTF-8 locale, as libarchive loses letters of names in any other.
    func next() throws(ArchiveError) -> Header? {
        try skipRest()
        let header = try inUnicodeLocale { () throws(ArchiveError) in try readHeader() }
        isInEntry = header != nil
        return header
    }

    /// Unpacks what is left of the entry, since libarchive would do so without counting; it passes over entries of seekable archives and RAR.
    private func skipRest() throws(ArchiveError) {
        guard isInEntry, !isSeekable,
            ![ARCHIVE_FORMAT_RAR, ARCHIVE_FORMAT_RAR_V5].contains(format)
        else { return }
        var block: UnsafeRawPointer?
        var count = 0
        var offset = la_int64_t(0)
        while archive_read_data_block(handle, &block, &count, &offset) == ARCHIVE_OK {
            try note(unpacked: count)
        }
    }

    private func note(unpacked count: Int) throws(ArchiveError) {
        unpackedCount += count
        guard isSeekable || unpackedCount <= allowance else {
            throw .system("unpacked it would be larger than \(allowance >> 20) MB")
        }
        if let late { throw late }
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
            try note(unpacked: got)
            left -= got
            guard left >= 0 else { throw .tooLarge(limit: limit) }
            guard try receive(UnsafeRawBufferPointer(rebasing: chunk[..<got])) else { return }
        }
    }

    /// Returns all data of the entry, or only its first unless `isWhole`.
    func contents(atMost limit: Int, _ isWhole: Bool = true) throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(atMost: limit) {
            bytes += $0
            return isWhole
        }
        return bytes
    }

    private var late: ArchiveError? {
        guard let deadline = input.deadline, deadline.isPast else { return nil }
        return .system("unpacking it takes longer than \(Int(deadline.seconds)) s")
    }

    private var failure: ArchiveError {
        if let late { return late }
        let words = archive_error_string(handle).map { String(cString: $0) } ?? "cut off"
        let text = words.withoutControls
        return text.lowercased().contains("encrypt") || text.contains("assphrase")
            ? .encrypted : text.contains("upport") ? .system(text) : .damaged(text)
    }
}

extension OpenFile {
    /// The whole file.
    var range: FileRange { FileRange(file: descriptor, start: 0, count: identity.size) }
}

/// Unpacks all entries once into an unnamed file, for archives whose entries cannot be reached individually.
final class Unpacking {
    private(set) var file: OpenFile?
    private var count = 0

    /// The maximum number of bytes kept per archive.
    private static let maxBytes = 2 << 30

    /// Unpacks the whole stream if it is a WARC file, or what is whole of it, along with the error; throws otherwise.
    func web(_ stream: ArchiveStream) throws(ArchiveError) -> (FileRange, ArchiveError?) {
        var failure: ArchiveError?
        do throws(ArchiveError) {
            _ = try add(stream, atMost: Self.maxBytes) { chunk in
                count > 0 || chunk.starts(with: "WARC/".utf8)
            }
        } catch {
            failure = error
        }
        guard let file, count > 0 else { throw failure ?? .damaged("not a supported archive") }
        return (FileRange(file: file.descriptor, start: 0, count: count), failure)
    }

    /// Unpacks the stream's current entry, at most `limit` bytes, up to the first chunk that is not wanted.
    func add(
        _ stream: ArchiveStream, atMost limit: Int,
        _ isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true }
    ) throws(ArchiveError) -> FileRange {
        let folder = temporaryFolder
        file = file ?? OpenFile(temporaryIn: folder)
        guard let file else { throw .system("\(folder): \(systemReason(errno))") }
        let start = count
        try stream.read(atMost: limit) { chunk throws(ArchiveError) -> Bool in
            guard isWanted(chunk) else { return false }
            guard count + chunk.count <= Self.maxBytes else {
                throw ArchiveError.system(
                    "unpacked it would be larger than \(Self.maxBytes >> 20) MB")
            }
            let error = writeAll(chunk, to: file.descriptor)
            guard error == 0 else { throw ArchiveError.system(systemReason(error)) }
            count += chunk.count
            return true
        }
        return FileRange(file: file.descriptor, start: start, count: count - start)
    }
}
