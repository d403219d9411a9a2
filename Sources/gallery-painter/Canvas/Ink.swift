/// A colour in sRGB with straight alpha, channels 0…1.
struct Ink: Hashable {
    /// Red, green, blue, alpha.
    var channels: SIMD4<Float>

    /// Makes a colour from its channels.
    init(channels: SIMD4<Float>) {
        self.channels = channels
    }

    /// Makes a colour from `0xRRGGBB`.
    init(_ hex: UInt32, _ alpha: Double = 1) {
        channels = SIMD4(
            Float(hex >> 16 & 255) / 255, Float(hex >> 8 & 255) / 255, Float(hex & 255) / 255,
            Float(alpha))
    }

    static let black = Ink(0x000000)
    static let white = Ink(0xFFFFFF)
    static let clear = Ink(0x000000, 0)

    /// The opacity, 0…1.
    var alpha: Double { Double(channels.w) }

    /// The colour with its alpha multiplied.
    func faded(_ factor: Double) -> Ink {
        var ink = self
        ink.channels.w *= Float(factor)
        return ink
    }

    /// A step of `amount` (0…1) towards `other`.
    func mixed(_ other: Ink, _ amount: Double) -> Ink {
        Ink(channels: channels + (other.channels - channels) * Float(min(max(amount, 0), 1)))
    }

    /// Towards white.
    func lighter(_ amount: Double) -> Ink {
        mixed(Ink.white.faded(alpha), amount)
    }

    /// Towards black.
    func darker(_ amount: Double) -> Ink {
        mixed(Ink.black.faded(alpha), amount)
    }

    /// Alpha multiplied into the colour, as the canvas stores it.
    var premultiplied: SIMD4<Float> {
        var result = channels * channels.w
        result.w = channels.w
        return result
    }
}
