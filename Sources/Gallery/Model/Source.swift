import Archives
import Basics
public import Network

/// A SOURCE of the command line, or a run of picture files: the first page of one section.
public struct Source: Hashable, Sendable {
    /// The argument as the user wrote it.
    public var argument: String
    /// The address; a folder's ends with a slash.
    public var address: Address
    /// The paths of consecutive picture files; the address is then their common folder's, with a unique query.
    var files: [String] = []
    /// The picture to be shown at once, before the folder around it has been read; nil to start with the page.
    public var start: Picture?
    /// Whether only what is new in the gallery is wanted, which is followed.
    public var isNews = false

    /// Creates a source.
    public init(argument: String, address: Address) {
        self.argument = argument
        self.address = address
    }

    /// The folder around a picture file, starting at that picture; nil for anything else, and for a hidden file, which its folder lacks.
    ///
    /// Blocks on the disk.
    public var surroundings: Source? {
        guard files.isEmpty, !address.isPipedIn,
            let entry = address.filePath.flatMap(FolderEntry.init(path:)),
            !entry.name.isHiddenName, entry.isPicture
        else { return nil }
        let folder = Address(path: entry.folder, isFolder: true)
        var source = Source(
            argument: entry.folder.split(separator: "/").last.map(String.init) ?? "/",
            address: folder)
        source.start = entry.picture(entry.name, on: folder)
        return source
    }
}

extension Source {
    /// The picture that it is, or the album of what is not known to be one; nil for a file that is gone.
    ///
    /// Blocks on the disk.
    func picture(on page: Address) -> Picture? {
        var isPicture = AddressHints(address).looksLikePicture
        if let path = address.filePath {
            if FileKind(atPath: path) == .nothing { return nil }
            let entry = FolderEntry(path: path)
            isPicture = entry?.isAlbum == false
            if let entry, isPicture { return entry.picture(entry.name, on: page) }
        }
        return Picture(
            variants: [Picture.Variant(address: address)],
            link: isPicture ? nil : address, page: page, title: argument,
            kind: isPicture ? .picture : .album)
    }
}

/// Why an argument is not a SOURCE; the description is one line of plain text without the argument.
public enum SourceError: Error, Hashable, CustomStringConvertible {
    /// Neither an address nor an existing path.
    case noSuchFile
    /// Looks like an address but cannot be parsed as one.
    case badAddress
    /// An address that contains a user's name or password, which would show on the screen and in lists.
    case withPassword
    /// An address that cannot be fetched on this system.
    case unreachable(FetchError)
    /// An address with another scheme, or one that only the user may name.
    case unsupportedScheme(String)
    /// An empty argument.
    case empty

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .noSuchFile: "no such file or folder"
        case .badAddress: "is not a valid address"
        case .withPassword: "no names or passwords in addresses: use --header 'Authorization: …'"
        case .unreachable(let error): error.description
        case .unsupportedScheme(let scheme):
            "‘\(scheme):’ addresses are "
                + (FileServers.schemes.contains(scheme)
                    ? "opened only where they are typed" : "not supported")
        case .empty: "is empty"
        }
    }
}

/// Parses arguments into sources, as the manual lists them.
public struct SourceParser: Sendable {
    let workingDirectory: String
    private let fileServers: FileServers?

    private static let scheme = try? Pattern(#"(?s)(file(?=:/)|[a-z\d+-]+(?=://)).*"#)
    /// A valid host name with a dot or a port: `example.com`, `localhost:8000`.
    private static let host = try? Pattern(
        #"(?=.*[.:])([\p{L}\p{M}\p{N}-]+)(?:\.(?1))*(?::\p{N}+)?"#)

    /// - Parameter workingDirectory: the absolute path that relative paths are resolved against.
    /// - Parameter fileServers: notes the file servers named; nil if the arguments are not the user's own, and so may name none.
    public init(workingDirectory: String, fileServers: FileServers? = nil) {
        self.workingDirectory = workingDirectory
        self.fileServers = fileServers
    }

    /// Returns the sections that `arguments` name, where a run of picture files is one, and an error for each invalid argument.
    ///
    /// Blocks on the disk.
    public func sources(_ arguments: [String]) -> (
        sources: [Source], mistakes: [(String, SourceError)]
    ) {
        var sources: [Source] = []
        var run: [Source] = []
        var mistakes: [(String, SourceError)] = []
        func endRun() {
            sources += run.count < 2 ? run : [Self.section(of: run, number: sources.count)]
            run = []
        }
        for argument in arguments {
            do throws(SourceError) {
                let source = try source(argument)
                if source.address.filePath.flatMap(FolderEntry.init(path:))?.isPicture == true {
                    run.append(source)
                } else {
                    endRun()
                    sources.append(source)
                }
            } catch {
                mistakes.append((FileServers.shown(argument), error))
            }
        }
        endRun()
        return (sources, mistakes)
    }

    /// Whether piped input is a list of SOURCEs rather than a picture, a page or other data.
    public static func isList(_ bytes: [UInt8]) -> Bool {
        let head = Array(bytes.prefix(1024))
        let first = head.drop { $0 <= 0x20 || $0 >= 0x80 }.first
        // Names of files may begin with a bracket, too.
        let isData =
            first == "["
            && LooseParser.value(of: bytes)?.elements.contains(where: \.isContainer) == true
        return ContentKind.isText(head) && first != "<" && first != "{" && !isData
            && !ContentKind.isPicture(head) && !ContentKind.isDocument(head)
            && !Archive.isOne(head)
    }

    /// Returns the section of a run of picture files, titled after their common folder.
    private static func section(of run: [Source], number: Int) -> Source {
        let paths = run.compactMap(\.address.filePath)
        let folders = paths.map { $0.split(separator: "/").dropLast() }
        let common = folders.reduce(folders[0]) { common, other in
            common.prefix(zip(common, other).prefix { $0 == $1 }.count)
        }
        let folder = Address(path: "/" + common.joined(separator: "/"), isFolder: true)
        var source = Source(
            argument: common.last.map(String.init) ?? "/",
            address: Address(
                normal: "\(folder.text)?files=\(number)", pathStart: folder.pathStart))
        source.files = paths
        return source
    }

    /// Parses an argument: as a URL, then as an existing file or folder, then as a host name.
    ///
    /// Blocks on the disk.
    public func source(_ argument: String) throws(SourceError) -> Source {
        guard !argument.isEmpty else { throw .empty }
        if let scheme = Self.scheme?.match(argument)?.lowercased() {
            let address = try address(argument, scheme: scheme)
            return Source(
                argument: address.isOnFileServer ? address.text : argument, address: address)
        }
        let path = argument.hasPrefix("/") ? argument : "\(workingDirectory)/\(argument)"
        if let address = file(atPath: path) {
            return Source(
                argument: address.isPipedIn ? address.fileTitle : argument, address: address)
        }
        if SourceParser.looksLikeHost(argument) {
            // Servers on this machine seldom have a certificate.
            let host = argument.prefix { !":/?#".contains($0) }
            let isLocal = host == "localhost" || host.hasPrefix("127.")
            if let address = Address((isLocal ? "http://" : "https://") + argument) {
                return Source(argument: argument, address: address)
            }
            if let error = FetchError.noLibcurl { throw .unreachable(error) }
        }
        throw .noSuchFile
    }

    private func address(_ argument: String, scheme: String) throws(SourceError) -> Address {
        let isOfServer = fileServers != nil && FileServers.schemes.contains(scheme)
        guard isOfServer || ["http", "https", "file"].contains(scheme) else {
            throw .unsupportedScheme(scheme)
        }
        let address = isOfServer ? fileServers?.address(argument) : Address(argument)
        guard let address else {
            if let error = FetchError.noLibcurl { throw .unreachable(error) }
            let authority = argument.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
            throw authority.contains("@") && !isOfServer ? .withPassword : .badAddress
        }
        guard let path = address.filePath else { return address }
        guard let local = file(atPath: path) else { throw .noSuchFile }
        return local.isFolder ? local : address
    }

    private func file(atPath path: String) -> Address? {
        switch FileKind(atPath: path) {
        case .folder: Address(path: path, isFolder: true)
        case .file: Address(path: path)
        // The path of an archive's entry continues the archive's own path.
        case .nothing: ArchiveCache.archivePath(of: path) == nil ? nil : Address(path: path)
        }
    }

    /// Whether this looks like `example.com/gallery` or `localhost:8000`.
    private static func looksLikeHost(_ argument: String) -> Bool {
        let host = argument.prefix { !"/?#".contains($0) }
        // A `photo.jpg` that does not exist is a missing file, not a host in a domain called jpg.
        let isFileName =
            argument.utf8.count == host.utf8.count && !host.contains(":")
            && (!AddressHints(String(host)).ending.isDisjoint(with: [.pictures, .other])
                || FolderEntry.archiveEndings.contains(host.ending))
        return Self.host?.match(host) != nil && !isFileName
    }
}

extension Address {
    /// Whether it is the address of piped input, which is named only by its descriptor's number.
    public var isPipedIn: Bool { filePath?.hasPrefix(descriptorFolder) == true }

    /// The title of the file at this address.
    public var fileTitle: String { isPipedIn ? "standard input" : lastPathComponent }

    /// The base of relative links of a page at this address: for piped input the working folder.
    var linkBase: Address {
        guard isPipedIn, let folder = realPath(".") else { return self }
        return Address(path: folder, isFolder: true)
    }
}
