import CArchive
import Glibc

/// Archives for tests, written with libarchive.
public enum PackedFiles {
    /// The archive format and compression.
    public enum Form: String, CaseIterable, Sendable {
        case zip, storedZip, tar, oldTar, gzippedTar, packedTar, quickTar, bzip2Tar, lzipTar
        case sevenZip, gzip
    }

    /// Writes an archive of `files`, in order, to `path`; returns false on failure.
    public static func write(
        _ files: [(name: [UInt8], bytes: [UInt8])], to path: String, as form: Form,
        password: String? = nil
    ) -> Bool {
        // 7z stores names as UTF-16, converted from the locale's encoding; the other formats store any bytes in the C locale.
        let locale = form == .sevenZip ? "C.UTF-8" : "C"
        let before = uselocale(newlocale(1 << LC_CTYPE, locale, nil))
        defer { _ = uselocale(before) }
        guard let handle = archive_write_new() else { return false }
        defer { archive_write_free(handle) }
        switch form {
        case .zip, .storedZip: archive_write_set_format_zip(handle)
        case .sevenZip: archive_write_set_format_7zip(handle)
        case .gzip: archive_write_set_format_raw(handle)
        case .oldTar: archive_write_set_format_v7tar(handle)
        default: archive_write_set_format_gnutar(handle)
        }
        switch form {
        case .gzippedTar, .gzip: archive_write_add_filter_gzip(handle)
        case .packedTar: archive_write_add_filter_xz(handle)
        case .quickTar: archive_write_add_filter_zstd(handle)
        case .bzip2Tar: archive_write_add_filter_bzip2(handle)
        case .lzipTar: archive_write_add_filter_lzip(handle)
        default: archive_write_add_filter_none(handle)
        }
        if form == .storedZip { archive_write_zip_set_compression_store(handle) }
        if let password {
            archive_write_set_options(handle, "zip:encryption=traditional")
            archive_write_set_passphrase(handle, password)
        }
        guard archive_write_open_filename(handle, path) == ARCHIVE_OK else { return false }
        for file in files {
            guard let entry = archive_entry_new() else { return false }
            defer { archive_entry_free(entry) }
            archive_entry_set_pathname(entry, file.name.map { CChar(bitPattern: $0) } + [0])
            archive_entry_set_filetype(entry, S_IFREG)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_size(entry, la_int64_t(file.bytes.count))
            archive_entry_set_mtime(entry, 1_543_226_400, 0)
            guard archive_write_header(handle, entry) >= ARCHIVE_WARN,
                archive_write_data(handle, file.bytes, file.bytes.count) == file.bytes.count
            else { return false }
        }
        return archive_write_close(handle) == ARCHIVE_OK
    }

    /// Writes an archive of files with text names.
    public static func write(
        _ files: [(String, [UInt8])], to path: String, as form: Form = .zip
    ) -> Bool {
        write(files.map { (Array($0.0.utf8), $0.1) }, to: path, as: form)
    }
}
