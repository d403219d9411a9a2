import CImageCodecs
import Glibc
import Raster

extension halftone_colors {
    /// Converts `count` pixels of 4 bytes to sRGB in place, within the limits; returns false if nothing was done.
    ///
    /// Profiles are untrusted: one that is broken, or not for such pixels, is ignored, as in browsers.
    func convert(
        _ pixels: UnsafeMutablePointer<UInt8>?, count: Int, _ limits: DecodeLimits
    ) -> Bool {
        var colors = self
        var limits = halftone_limits(limits)
        return halftone_convert(&colors, pixels, count, &limits)
    }

    /// Whether the file specifies usable colours other than sRGB.
    var needConversion: Bool {
        guard let profile else { return (gamma > 0 || has_chromaticities) && !isSRGB }
        let bytes = Array(UnsafeBufferPointer(start: profile, count: profile_count))
        return ICCProfile(bytes).map { $0.isUsable && !$0.isSRGB } ?? false
    }

    /// Whether gamma and chromaticities mean sRGB: nearly every PNG with gAMA has 1/2.2 and means sRGB, whose curve that approximates (PNG,
    /// third edition, 11.3.2.4).
    private var isSRGB: Bool {
        guard gamma == 0 || abs(gamma - 2.2) < 0.01 else { return false }
        guard has_chromaticities else { return true }
        let srgb = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
        return withUnsafeBytes(of: chromaticities) { bytes in
            zip(bytes.bindMemory(to: Double.self), srgb).allSatisfy { abs($0 - $1) < 0.002 }
        }
    }
}

/// A parsed ICC profile (ICC.1:2022, section 7); creation fails if it is not one.
///
/// Parsed by bounds-checked code of our own, since it decides which profiles the library gets to see at all.
struct ICCProfile {
    private let reader: FileBytes
    /// The offset of each tag table entry and of its data.
    private let tags: [(entry: Int, offset: Int)]

    private static let headerLength = 128
    /// Common profiles have about 20.
    private static let maxTags = 100

    init?(_ bytes: [UInt8]) {
        reader = FileBytes(bytes)
        guard reader.has("acsp", at: 36),
            let count = reader.bigEndian(Self.headerLength, length: 4),
            count <= Self.maxTags,
            reader.whole(Self.headerLength + 4, length: count * 12) != nil
        else { return nil }
        tags = (0..<count).map { [reader] index in
            let entry = Self.headerLength + 4 + index * 12
            return (entry, reader.bigEndian(entry + 4, length: 4) ?? 0)
        }
    }

    /// Whether the profile describes pixels, and with tables and curves, whose size bounds their cost.
    ///
    /// Multi-process elements are programs of any length, which may refer to the same bytes again and again.
    var isUsable: Bool {
        let classes: [StaticString] = ["mntr", "scnr", "prtr", "spac"]
        return classes.contains { reader.has($0, at: 12) }
            && !tags.contains { reader.has("mpet", at: $0.offset) }
    }

    /// Whether the profile is sRGB to within about one level, so that no conversion is needed.
    var isSRGB: Bool {
        guard reader.has("RGB ", at: 16), reader.has("XYZ ", at: 20), tag("A2B0") == nil else {
            return false
        }
        let columns: [(StaticString, [Double])] = [
            ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]),
            ("bXYZ", [0.1431, 0.0606, 0.7141]),
        ]
        return columns.allSatisfy { isColumn($0, near: $1) }
            && ["rTRC", "gTRC", "bTRC"].allSatisfy(isSRGBCurve)
    }

    private func tag(_ name: StaticString) -> Int? {
        tags.first { reader.has(name, at: $0.entry) }?.offset
    }

    /// Returns whether a column matches sRGB's primaries adapted to D50; profiles round them differently in the third digit.
    private func isColumn(_ name: StaticString, near wanted: [Double]) -> Bool {
        guard let offset = tag(name), reader.has("XYZ ", at: offset) else { return false }
        return wanted.indices.allSatisfy { index in
            guard let found = fixed(offset + 8 + index * 4) else { return false }
            return abs(found - wanted[index]) < 0.002
        }
    }

    /// Returns whether a curve is within a quarter of a level of sRGB's at 16 points (in light, where a level is 0.0003 wide at the dark
    /// end).
    private func isSRGBCurve(_ name: StaticString) -> Bool {
        guard let offset = tag(name) else { return false }
        return (1...16).allSatisfy { step in
            let code = Double(step) / 16
            guard let found = light(of: code, curve: offset) else { return false }
            let wanted = LinearLight.decoded(code)
            let level = LinearLight.decoded(code + 1 / 255.0) - wanted
            return abs(found - wanted) < max(level / 4, 0.0001)
        }
    }

    /// Evaluates a curve of the kinds found in sRGB profiles: a table, or the function with five parameters.
    private func light(of code: Double, curve offset: Int) -> Double? {
        if reader.has("curv", at: offset), let count = reader.bigEndian(offset + 8, length: 4),
            count > 255
        {
            let place = code * Double(count - 1)
            let index = min(Int(place), count - 2)
            guard let low = reader.bigEndian(offset + 12 + index * 2, length: 2),
                let high = reader.bigEndian(offset + 14 + index * 2, length: 2)
            else { return nil }
            return (Double(low) + (place - Double(index)) * Double(high - low)) / 65535
        }
        // Type 3: Y = (aX + b)^g for X ≥ d, cX below.
        guard reader.has("para", at: offset), reader.bigEndian(offset + 8, length: 2) == 3,
            let g = fixed(offset + 12), let a = fixed(offset + 16), let b = fixed(offset + 20),
            let c = fixed(offset + 24), let d = fixed(offset + 28)
        else { return nil }
        return code >= d ? pow(a * code + b, g) : c * code
    }

    /// Reads a signed fixed-point number with 16 fractional bits.
    private func fixed(_ offset: Int) -> Double? {
        reader.bigEndian(offset, length: 4).map {
            Double(Int32(truncatingIfNeeded: $0)) / 65536
        }
    }
}
