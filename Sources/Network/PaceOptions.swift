import Basics

/// How gently servers are asked; nil is as gently as usual.
public struct PaceOptions: Equatable, Sendable {
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
