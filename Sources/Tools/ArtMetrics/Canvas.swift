public import Raster

/// A picture as it is measured: encoded sRGB as numbers 0…1, not rounded to codes.
public struct Canvas: Sendable {
    /// The extent, in pixels.
    public let size: PixelSize
    /// Row by row; red, green, blue.
    public var pixels: [SIMD3<Float>]

    /// Makes a picture of one colour.
    public init(size: PixelSize, filledWith color: SIMD3<Float> = .zero) {
        self.size = size
        pixels = Array(repeating: color, count: size.width * size.height)
    }

    /// The picture rounded to codes, opaque.
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

    /// The picture rounded to codes, but still numbers.
    public var rounded: Canvas {
        var copy = self
        for index in copy.pixels.indices {
            copy.pixels[index] = (copy.pixels[index] * 255).rounded(.toNearestOrAwayFromZero) / 255
        }
        return copy
    }
}

extension SIMD3<Float> {
    /// A colour as numbers 0…1.
    public init(_ color: RGB) {
        self = SIMD3(Float(color.red), Float(color.green), Float(color.blue)) / 255
    }
}
