import CImageCodecs

/// Turns pixels of one file into sRGB.
///
/// Profiles come from anywhere: one that is broken, or not for such pixels, counts as none, as in browsers.
struct ColorConverter: ~Copyable {
    private let converter: OpaquePointer
    private let limits: halftone_limits

    /// Nil if there is nothing to convert: the file says nothing of its colours, says that they are sRGB, or nothing that
    /// can be used.
    init?(_ colors: halftone_colors, count: Int, limits: halftone_limits) {
        guard Self.isNeeded(for: colors) else { return nil }
        var colors = colors
        var limits = limits
        guard let converter = halftone_converter_open(&colors, count, &limits) else { return nil }
        self.converter = converter
        self.limits = limits
    }

    deinit {
        halftone_converter_close(converter)
    }

    /// Converts in place, as far as the limits allow.
    func convert(_ pixels: UnsafeMutablePointer<UInt8>?, count: Int) {
        var limits = limits
        halftone_converter_run(converter, pixels, count, &limits)
    }

    private static func isNeeded(for colors: halftone_colors) -> Bool {
        guard let bytes = colors.profile else {
            return (colors.gamma > 0 || colors.has_chromaticities) && !isSRGB(colors)
        }
        let profile = ICCProfile(
            Array(UnsafeBufferPointer(start: bytes, count: colors.profile_count)))
        return profile.map { $0.isUsable && !$0.isSRGB } ?? false
    }

    /// Nearly every PNG with gAMA says 1/2.2 and means sRGB, whose curve that approximates (PNG, third edition, 11.3.2.4).
    private static func isSRGB(_ colors: halftone_colors) -> Bool {
        guard colors.gamma == 0 || abs(colors.gamma - 2.2) < 0.01 else { return false }
        guard colors.has_chromaticities else { return true }
        let srgb = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
        return withUnsafeBytes(of: colors.chromaticities) { bytes in
            zip(bytes.bindMemory(to: Double.self), srgb).allSatisfy { abs($0 - $1) < 0.002 }
        }
    }
}
