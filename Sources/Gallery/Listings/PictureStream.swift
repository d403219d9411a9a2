import Basics
import Dispatch
import Glibc
import Markup
import Network
public import Pipeline

/// Pictures that standard input lists, one a line, as a gallery that grows as the lines arrive.
public final class PictureStream: Sendable {
    /// Its section, in the working folder; the address is that of nothing else, and is not kept as a place.
    public let source: Source

    private struct State {
        var pictures = PictureList()
        var mistakes = 0
        var hasBegun = false
        var isComplete = false
        /// Receives the pictures, and how many of them it has.
        var receiver: LoadReceiver<Page>?
        var told = 0
    }

    private let state = Locked(State())
    private let parser: SourceParser
    private let separators: [UInt8]
    private let beginning: [UInt8]

    /// As many pictures as are read from a folder; what follows stays in the pipe.
    private static let most = 1_000_000
    /// Longer lines name no pictures.
    private static let maxLine = 1 << 20
    /// Seconds from one part of a list that arrives without a pause to the next.
    private static let interval = 0.1

    /// Creates the gallery of a list that starts with `beginning`, or of `known` pictures without a list.
    ///
    /// Nil unless a picture is the first thing that the list names: what begins with a gallery is a list of sections, of which all are known
    /// before one is shown.
    public init?(
        beginning: [UInt8] = [], isNulSeparated: Bool = false, parser: SourceParser,
        known: [Picture] = [], title: String = "Standard input"
    ) {
        let folder = Address(path: parser.workingDirectory, isFolder: true)
        source = Source(
            argument: title,
            address: Address(normal: "\(folder.text)?files=listed", pathStart: folder.pathStart))
        self.parser = parser
        self.beginning = Array(beginning.withoutMark)
        separators = isNulSeparated ? [0] : [0x0A, 0x0D]
        if !known.isEmpty {
            state.withLock {
                $0.pictures = PictureList(known)
                ($0.hasBegun, $0.isComplete) = (true, true)
            }
            return
        }
        let first = pictures(in: self.beginning[...]).first { $0 != nil }
        guard self.beginning.first(where: { $0 > 0x20 }) != "<", first??.kind == .picture else {
            return nil
        }
    }

    /// Loads what is listed, in parts as it arrives; completes on any thread.
    public func load(completion: @escaping LoadReceiver<Page>) -> Subscription {
        let isFirst = state.withLock { state in
            defer { (state.hasBegun, state.receiver, state.told) = (true, completion, 0) }
            return !state.hasBegun
        }
        DispatchQueue(label: "halftone.list", qos: .userInitiated).asyncGuarded { [self] in
            isFirst ? read() : tell()
        }
        return Subscription(onCancel: { [self] in state.withLock { $0.receiver = nil } })
    }

    private func read() {
        var waiting = beginning
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var nextPart = 0.0
        while state.current.pictures.count < Self.most {
            if let end = waiting.lastIndex(where: separators.contains) {
                take(waiting[...end])
                waiting.removeSubrange(...end)
            } else if waiting.count > Self.maxLine {
                take(["?"])
                waiting = []
            }
            if SteadyClock.now > nextPart || !isReadable(STDIN_FILENO, within: 0) {
                tell()
                nextPart = SteadyClock.now + Self.interval
            }
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            waiting += buffer[..<count]
        }
        take(waiting[...])
        state.withLock { $0.isComplete = true }
        tell()
    }

    private func take(_ text: ArraySlice<UInt8>) {
        let found = pictures(in: text)
        let pictures = found.compactMap(\.self)
        state.withLock {
            $0.pictures.append(contentsOf: pictures)
            $0.mistakes += found.count - pictures.count
        }
    }

    /// Returns what each line names, looked for when it is asked for; nil for a line that names no picture.
    private func pictures(in text: ArraySlice<UInt8>) -> some Collection<Picture?> {
        let context = PageContext(
            address: source.address, document: Document(html: []), isData: true)
        return text.split(whereSeparator: separators.contains).lazy.map { [self] line in
            if line.first == "{", let record = LooseParser.value(of: Array(line)) {
                return Picture(record: record, context)
            }
            let name = String(systemBytes: separators == [0] ? line : line.drop { $0 <= 0x20 })
            guard let found = try? parser.source(name) else { return nil }
            let file = found.address.filePath.flatMap(FolderEntry.init(path:))
            // A saved page is an album, and other files are nothing.
            let isShown =
                file.map { $0.isPicture || $0.isAlbum || $0.name.ending.hasPrefix("htm") }
            return isShown == false ? nil : found.picture(on: source.address)
        }
    }

    /// Gives the receiver what it has not got.
    private func tell() {
        state.withLock { state in
            guard let receiver = state.receiver,
                state.told < state.pictures.count || state.isComplete
            else { return }
            var page = Page(
                address: source.address, title: "", pictures: state.pictures[state.told...])
            state.told = state.pictures.count
            page.isPart = !state.isComplete
            if state.isComplete {
                state.receiver = nil
                if state.mistakes > 0 {
                    page.shortfall = "lines that name no picture: \(state.mistakes)"
                }
            }
            receiver(.success(page))
        }
    }
}
