import Glibc

/// How a picture's code values are changed before it is drawn: for scans, documents, and reading at night.
public struct Tone: Hashable, Sendable {
    /// Whether dark and light are exchanged.
    public var isInverted = false
    /// What is added to each channel, in percent of its range, −100…100.
    public var brightness = 0 { didSet { brightness = min(max(brightness, -100), 100) } }
    /// The exponent's denominator, 0.1…10: above 1 dark tones become lighter.
    public var gamma = 1.0 { didSet { gamma = gamma.isFinite ? min(max(gamma, 0.1), 10) : 1 } }

    /// Creates the tone that changes nothing.
    public init() {}

    /// Reads the words that `words` returns; others mean nothing.
    public init(_ words: [String]) {
        // Its own properties would not be bounded here.
        var tone = Tone()
        tone.isInverted = words.contains("inverted")
        for parts in words.map({ $0.split(separator: "=") }) where parts.count == 2 {
            if parts[0] == "brightness", let value = Int(parts[1]) { tone.brightness = value }
            if parts[0] == "gamma", let value = Double(parts[1]) { tone.gamma = value }
        }
        self = tone
    }

    /// One word for each value that changes something: `inverted`, `brightness=-20`, `gamma=1.5`.
    public var words: [String] {
        [
            isInverted ? "inverted" : nil, brightness == 0 ? nil : "brightness=\(brightness)",
            gamma == 1 ? nil : "gamma=\(gamma)",
        ].compactMap(\.self)
    }

    /// The new value of each code value.
    var curve: [UInt8] {
        (0..<256).map { value in
            let lit = Double(isInverted ? 255 - value : value) / 255
            let shade = pow(lit, 1 / gamma) + Double(brightness) / 100
            return UInt8((min(max(shade, 0), 1) * 255).rounded())
        }
    }
}

extension PixelBuffer {
    /// Returns the picture in another tone, with the same alpha.
    public func toned(_ tone: Tone) -> PixelBuffer {
        guard tone != Tone() else { return self }
        var picture = self
        let curve = tone.curve
        picture.bytes.withUnsafeMutableBufferPointer { bytes in
            for index in bytes.indices where index & 3 != 3 {
                bytes[index] = curve[Int(bytes[index])]
            }
        }
        return picture
    }
}
