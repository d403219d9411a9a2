import Glibc
public import Raster

/// A picture for measurements: encoded sRGB as numbers 0…1, not rounded to code values.
public struct Canvas: Sendable {
    /// The extent, in pixels.
    public let size: PixelSize
    /// The pixels in row-major order; red, green, blue.
    public var pixels: [SIMD3<Float>]

    /// Creates a picture of one colour.
    public init(size: PixelSize, filledWith color: SIMD3<Float> = .zero) {
        self.size = size
        pixels = Array(repeating: color, count: size.width * size.height)
    }

    /// The picture rounded to code values, opaque.
    public var buffer: PixelBuffer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pixels.count * 4)
        for pixel in pixels {
            let codes = (pixel * 255 + 0.5).clamped(
                lowerBound: .zero, upperBound: SIMD3(repeating: 255))
            bytes += [UInt8(codes.x), UInt8(codes.y), UInt8(codes.z), 255]
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }

    /// The picture rounded to code values, but still as numbers 0…1.
    public var rounded: Canvas {
        var copy = self
        for index in copy.pixels.indices {
            copy.pixels[index] = (copy.pixels[index] * 255).rounded(.toNearestOrAwayFromZero) / 255
        }
        return copy
    }
}

extension SIMD3<Float> {
    /// Converts a colour to numbers 0…1.
    public init(_ color: RGB) {
        self = SIMD3(Float(color.red), Float(color.green), Float(color.blue)) / 255
    }
}

/// The values that are averaged when a picture is shrunk, a glyph's edge is blended, or an eye blurs.
public enum Light: String, CaseIterable, Sendable {
    /// sRGB code values, as in most programs.
    case encoded
    /// Linear light, as in eyes and lenses.
    case linear

    /// Converts encoded sRGB, 0…1, to the values that are averaged.
    public func decoded(_ color: SIMD3<Float>) -> SIMD3<Float> {
        guard self == .linear else { return color }
        return SIMD3(Self.curve(color.x), Self.curve(color.y), Self.curve(color.z))
    }

    /// Converts an average to encoded sRGB, 0…1.
    public func encoded(_ value: SIMD3<Float>) -> SIMD3<Float> {
        guard self == .linear else { return value }
        return SIMD3(Self.inverse(value.x), Self.inverse(value.y), Self.inverse(value.z))
    }

    /// The transfer curve of IEC 61966-2-1.
    static func curve(_ value: Float) -> Float {
        value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }

    static func inverse(_ value: Float) -> Float {
        value <= 0.003_130_8 ? value * 12.92 : 1.055 * powf(value, 1 / 2.4) - 0.055
    }
}
