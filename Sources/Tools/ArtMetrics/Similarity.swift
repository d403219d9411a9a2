import Glibc
import Raster

/// SSIM, the structural similarity of two pictures: 1 for identical ones.
///
/// Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to structural similarity" (2004): on luma, in windows
/// weighted by a Gaussian of 1.5 pixels, with K₁ = 0.01 and K₂ = 0.03.
public enum StructuralSimilarity {
    /// Returns the mean over all windows.
    public static func of(_ drawn: Canvas, against reference: Canvas) -> Double {
        precondition(drawn.size == reference.size, "only pictures of one size are compared")
        let moments = zip(drawn.pixels, reference.pixels).map { one, other in
            let (x, y) = (luma(one), luma(other))
            return SIMD8<Float>(x, y, x * x, y * y, x * y, 0, 0, 0)
        }
        let windows = Gaussian(x: 1.5, y: 1.5).blur(moments, width: drawn.size.width)
        return windows.reduce(0) { $0 + Double(similarity($1)) } / Double(windows.count)
    }

    private static func similarity(_ window: SIMD8<Float>) -> Float {
        let (first, second): (Float, Float) = (0.01 * 0.01, 0.03 * 0.03)
        let (x, y) = (window[0], window[1])
        let (varianceX, varianceY) = (window[2] - x * x, window[3] - y * y)
        let covariance = window[4] - x * y
        return (2 * x * y + first) * (2 * covariance + second)
            / ((x * x + y * y + first) * (varianceX + varianceY + second))
    }

    /// BT.709 luma.
    private static func luma(_ color: SIMD3<Float>) -> Float {
        (color * SIMD3(0.2126, 0.7152, 0.0722)).sum()
    }
}

/// PSNR between a picture and its reference, over all pixels and channels of encoded sRGB.
public enum PeakSignalToNoise {
    /// The maximum in decibels: differences beyond it are invisible, and identical pictures would be at infinity.
    public static let ceiling = 60.0

    /// Returns the mean squared error of values 0…1.
    public static func meanSquaredError(_ one: Canvas, _ other: Canvas) -> Double {
        precondition(one.size == other.size, "only pictures of one size are compared")
        var sum = 0.0
        for index in one.pixels.indices {
            let difference = one.pixels[index] - other.pixels[index]
            sum += Double((difference * difference).sum())
        }
        return sum / Double(one.pixels.count * 3)
    }

    /// Converts a mean squared error to decibels, at most `ceiling`.
    public static func decibels(meanSquaredError error: Double) -> Double {
        error > 0 ? min(-10 * log10(error), ceiling) : ceiling
    }

    /// Returns the PSNR in decibels, at most `ceiling`.
    public static func of(_ drawn: Canvas, against reference: Canvas) -> Double {
        decibels(meanSquaredError: meanSquaredError(drawn, reference))
    }
}
