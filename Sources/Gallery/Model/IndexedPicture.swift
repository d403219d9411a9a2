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
    public var isSmaller = false

    /// Creates a picture of so many pixels; nil if there is none with these.
    public init?(path: String, fingerprint: UInt64, width: Int, height: Int) {
        guard let width = Pixels(width), let height = Pixels(height) else { return nil }
        (self.path, self.fingerprint) = (path, fingerprint)
        (self.width, self.height) = (width, height)
    }

    /// Parses `text`: width, height, fingerprint, 1 or 0, and the path, separated by spaces.
    public init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 4)
        guard parts.count == 5, let width = Int(parts[0]), let height = Int(parts[1]),
            let fingerprint = UInt64(parts[2])
        else { return nil }
        self.init(
            path: String(parts[4]), fingerprint: fingerprint, width: width, height: height)
        isSmaller = parts[3] == "1"
    }

    /// All of it, as `init(text:)` reads it.
    public var text: String { "\(width) \(height) \(fingerprint) \(isSmaller ? 1 : 0) \(path)" }

    /// The number of its pixels.
    public var pixelCount: Int { width.count * height.count }
}
