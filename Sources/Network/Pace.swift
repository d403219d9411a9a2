import Basics
public import Pipeline

/// How gently servers are asked; nil is as gently as usual.
public struct Pace: Equatable, Sendable {
    /// The seconds between two requests to one host, random within the range.
    public var pause: ClosedRange<Double>?
    /// The most bytes that one host may send in a second.
    public var rate: Int?

    /// Creates the usual one.
    public init() {}

    /// Parses seconds, or a range of them.
    public static func pause(_ text: String) throws(PaceError) -> ClosedRange<Double> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
            .map { Double($0) ?? -1 }
        // Nobody waits an hour for a picture.
        guard ends.count < 3, let last = ends.last, 0 <= ends[0], ends[0] <= last, last < 3600
        else {
            throw PaceError(description: "is neither seconds, as 1.5, nor a range, as 1-3")
        }
        return ends[0]...last
    }

    /// Parses a number of bytes, as curl does.
    public static func rate(_ text: String) throws(PaceError) -> Int {
        guard let bytes = Int(bytes: text), bytes > 0 else {
            throw PaceError(description: "is not a number of bytes, as 200k or 1M")
        }
        return bytes
    }
}

/// Why a text is no pace, in plain words.
public struct PaceError: Error, CustomStringConvertible {
    /// The reason.
    public let description: String
}

/// The requests sent so far, and who is told of servers that ask to wait.
public struct Traffic: Sendable {
    /// The numbers of requests sent, by host.
    public var counts: [String: Int] = [:]
    /// Requests to further hosts are not counted: more than any gallery has.
    private static let maxHosts = 4096
    /// Is told in a line, on the transfer thread, when a server asks to wait.
    public var report: Receiver<String> = { _ in }

    mutating func count(_ host: String) {
        if counts[host] != nil || counts.count < Self.maxHosts { counts[host, default: 0] += 1 }
    }
}
