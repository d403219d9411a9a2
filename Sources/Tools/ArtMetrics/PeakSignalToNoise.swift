import Glibc

/// How far a picture is from its reference, over all pixels and channels of encoded sRGB.
public enum PeakSignalToNoise {
    /// From here on nothing is to be seen, and equal pictures would be infinitely near.
    public static let ceiling = 60.0

    /// The mean squared error, of values 0…1.
    public static func meanSquaredError(_ one: Canvas, _ other: Canvas) -> Double {
        precondition(one.size == other.size, "only pictures of one size are compared")
        var sum = 0.0
        for index in one.pixels.indices {
            let difference = one.pixels[index] - other.pixels[index]
            sum += Double((difference * difference).sum())
        }
        return sum / Double(one.pixels.count * 3)
    }

    /// In decibels, at most `ceiling`.
    public static func decibels(meanSquaredError error: Double) -> Double {
        error > 0 ? min(-10 * log10(error), ceiling) : ceiling
    }

    /// In decibels, at most `ceiling`.
    public static func of(_ drawn: Canvas, against reference: Canvas) -> Double {
        decibels(meanSquaredError: meanSquaredError(drawn, reference))
    }
}
