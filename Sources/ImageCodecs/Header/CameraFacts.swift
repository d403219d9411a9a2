import Basics

/// Camera metadata from a picture's file (EXIF 2.32, 4.6), and what people wrote into it (XMP, IPTC, EXIF); each item is one line, nil if absent.
public struct CameraFacts: Hashable, Sendable {
    /// The maker and model.
    public var camera: String?
    /// The lens.
    public var lens: String?
    /// The sensitivity, as an ISO number.
    public var sensitivity: Int?
    /// The exposure time, aperture, sensitivity and focal length.
    public var exposure: String?
    /// The date taken, as ISO 8601 without a time zone.
    public var date: String?
    /// The latitude and longitude, in degrees.
    public var position: String?
    /// The title, description and keywords.
    public var about: String?
    /// The rating, normally 1…5 stars; -1 for rejected.
    public var rating: Int?

    /// Creates an empty value.
    public init() {}

    /// Reads the EXIF, XMP and IPTC blocks of a file, where its format has them; nil if there is none, or nothing of interest in them.
    ///
    /// Takes microseconds without an XMP packet, at worst as long as the walk over the file's chunks.
    public init?(of file: FileBytes) {
        let header = ImageFormat(sniffing: file).flatMap { StoredHeader.read(file, $0) }
        let main = header?.exif.flatMap(TagDirectory.init(exif:))
        main.map { read($0) }
        header?.xmp.map { read(xmp: $0) }
        // When the file was changed, if there is nothing better.
        date = date ?? main?.text(of: 0x0132).flatMap(Self.date)

        // Most programs write the same into each block.
        about = nonNil(
            about, header?.iptc.flatMap(Self.about(iptc:)), main?.text(of: 0x010E)
        ).reduce(nil) { all, text in
            guard let all else { return text }
            return all.contains(text.prefix(70)) ? all : "\(all) · \(text)"
        }
        if self == CameraFacts() { return nil }
    }

    private mutating func read(_ main: TagDirectory) {
        let details = main.directory(at: main.number(of: 0x8769))
        camera = Self.camera(maker: main.text(of: 0x010F), model: main.text(of: 0x0110))
        lens = details?.text(of: 0xA434)
        sensitivity = details?.number(of: 0x8827)
        exposure = details.flatMap(Self.exposure)
        rating = main.number(of: 0x4746)
        // Taken, or else digitized.
        date = [0x9003, 0x9004].lazy.compactMap { details?.text(of: $0).flatMap(Self.date) }.first
        position = main.directory(at: main.number(of: 0x8825)).flatMap(Self.position)
    }

    private static func camera(maker: String?, model: String?) -> String? {
        guard let maker, let model else { return model ?? maker }
        return model.lowercased().hasPrefix(maker.lowercased()) ? model : "\(maker) \(model)"
    }

    private static func exposure(_ tags: TagDirectory) -> String? {
        let time = tags.fraction(of: 0x829A).flatMap { seconds -> String? in
            guard seconds > 0, seconds < 100_000 else { return nil }
            return seconds < 0.4
                ? "1/\(Int(min(1 / seconds, 1e6).rounded())) s" : "\(decimal(seconds)) s"
        }
        let aperture = tags.fraction(of: 0x829D).flatMap { $0 > 0 ? "f/\(decimal($0))" : nil }
        let sensitivity = tags.number(of: 0x8827).map { "ISO \($0)" }
        let length = tags.fraction(of: 0x920A).flatMap { $0 > 0 ? "\(decimal($0)) mm" : nil }
        let parts = nonNil(time, aperture, sensitivity, length)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Formats a number with at most one fractional digit.
    private static func decimal(_ number: Double) -> String {
        let tenths = Int((min(number, 1e6) * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// Converts `2024:06:01 10:11:12` to ISO 8601, whatever is between the numbers and behind them.
    static func date(_ text: String) -> String? {
        let parts = text.split { !("0"..."9").contains($0) }.prefix(6)
        guard parts.count > 2, parts[0].count == 4, parts[0] > "0000", "01"..."12" ~= parts[1],
            "01"..."31" ~= parts[2], parts[1...].allSatisfy({ $0.count == 2 })
        else { return nil }
        let time = parts[3...].joined(separator: ":")
        return parts[..<3].joined(separator: "-") + (time.isEmpty ? "" : "T" + time)
    }

    private static func position(_ tags: TagDirectory) -> String? {
        func degrees(_ tag: Int, _ reference: Int, _ negative: String, _ most: Double) -> String? {
            let parts = (0..<3).map { tags.fraction(of: tag, at: $0) ?? 0 }
            guard tags.fraction(of: tag) != nil, let side = tags.text(of: reference) else {
                return nil
            }
            let value = parts[0] + parts[1] / 60 + parts[2] / 3600
            guard value >= 0, value <= most else { return nil }
            let whole = Int((value * 1e5).rounded())
            let digits = String(100_000 + whole % 100_000).dropFirst()
            return (side == negative ? "-" : "") + "\(whole / 100_000).\(digits)"
        }
        guard let north = degrees(2, 1, "S", 90), let east = degrees(4, 3, "W", 180) else {
            return nil
        }
        return "\(north), \(east)"
    }
}

extension TagDirectory {
    /// Returns the text with `tag` (type 2) as one short line; nil if there is none.
    fileprivate func text(of tag: Int) -> String? {
        guard let value = value(of: tag, type: 2, size: 1), value.count <= 1024 else { return nil }
        let bytes = block.part(value.offset, length: min(value.count, 128)).prefix { $0 != 0 }
        let line = String(utf8: bytes).oneLine(limit: 80)
        return line.isEmpty ? nil : line
    }

    /// Returns the rational (type 5) at an index under `tag`; nil if there is none, or its denominator is 0.
    fileprivate func fraction(of tag: Int, at index: Int = 0) -> Double? {
        guard let value = value(of: tag, type: 5, size: 8), index < value.count,
            let numerator = number(value.offset + 8 * index, 4),
            let divisor = number(value.offset + 8 * index + 4, 4), divisor > 0
        else { return nil }
        return Double(numerator) / Double(divisor)
    }
}
