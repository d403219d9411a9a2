public import Basics

/// A picture in a file on this machine that can be found by its look.
public struct IndexedPicture: Hashable, Sendable {
    /// The path of its file.
    public let path: String
    /// The hash of its look; 0 for a flat picture, which is like no other.
    public let fingerprint: UInt64
    /// Its size.
    public let width: Pixels, height: Pixels
    /// Whether it is smaller than the picture that it was found for.
    public var isSmaller: Bool

    /// Parses `text`: width, height, fingerprint, 1 or 0, and the path, separated by spaces.
    public init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 4)
        guard parts.count == 5, let width = Pixels(parts[0]), let height = Pixels(parts[1]),
            let fingerprint = UInt64(parts[2])
        else { return nil }
        (self.width, self.height, self.fingerprint) = (width, height, fingerprint)
        (isSmaller, path) = (parts[3] == "1", String(parts[4]))
    }

    /// All of it.
    var text: String { "\(width) \(height) \(fingerprint) \(isSmaller ? 1 : 0) \(path)" }

    /// The number of its pixels.
    public var pixelCount: Int { width.count * height.count }
}
