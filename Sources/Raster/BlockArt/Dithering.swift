/// How much a picture is dithered.
///
/// Measured by quadrants at 40×20 cells, mean of 20 pictures, PSNR as drawn / blurred by half a cell, as seen from afar:
///
/// |            | none        | auto        | noise       | diffusion   |
/// |------------|-------------|-------------|-------------|-------------|
/// | 256        | 26.5 / 31.7 | 26.0 / 34.1 | 25.1 / 33.2 | 24.8 / 36.0 |
/// | 16         | 16.7 / 19.6 | 15.3 / 23.8 | 14.6 / 23.6 | 14.3 / 25.1 |
/// | 8          | 12.9 / 15.2 | 12.3 / 19.3 | 12.0 / 19.1 | 11.0 / 21.6 |
/// | mono       | 10.0 / 12.2 | 9.1 / 15.3  | 7.6 / 19.2  | 7.9 / 20.4  |
///
/// `auto` takes most of what is won from afar while little is lost near by: a part of each error is handed on, so that
/// only colours far from any in the palette are mixed, and a little noise keeps that from making patterns.
struct DitherStrength {
    /// The share of a cell's error that is handed on, 0…1.
    let share: Float
    /// From the lowest to the highest offset by noise, in codes.
    let noise: Float

    /// What `dither` means in `depth`.
    init(_ dither: Dither, _ depth: ColorDepth) {
        switch (dither, depth) {
        case (.none, _), (_, .truecolor): (share, noise) = (0, 0)
        // As far as neighbouring colours of the palette lie apart.
        case (.noise, .palette256): (share, noise) = (0, 32)
        case (.noise, .palette16), (.noise, .palette8): (share, noise) = (0, 128)
        case (.noise, .mono): (share, noise) = (0, 255)
        case (.diffusion, _): (share, noise) = (1, 0)
        case (.auto, .palette256): (share, noise) = (0.4, 8)
        case (.auto, .palette16): (share, noise) = (0.5, 40)
        case (.auto, .palette8): (share, noise) = (0.4, 32)
        case (.auto, .mono): (share, noise) = (0.5, 0)
        }
    }
}

/// The errors that the cells already drawn leave to those that come.
struct CarriedErrors {
    private let share: Float
    /// One cell more at both ends, so that errors may fall off the edge.
    private var current: [SIMD4<Float>]
    private var next: [SIMD4<Float>]

    /// An error beyond this is no longer a matter of rounding but a colour that the palette lacks; passing all of it on
    /// would smear it over the whole row.
    private static let limit = SIMD4<Float>(repeating: 100)

    init(columns: Int, share: Float) {
        self.share = share / 16
        current = Array(repeating: .zero, count: columns + 2)
        next = current
    }

    /// Goes on to the row below.
    mutating func beginRow() {
        swap(&current, &next)
        for index in next.indices { next[index] = .zero }
    }

    /// What column `x` has to make up for.
    func due(at x: Int) -> SIMD4<Float> { current[x + 1] }

    /// In sixteenths: 7 to the right, 3 below to the left, 5 below, 1 below to the right.
    mutating func spread(_ error: SIMD4<Float>, from x: Int) {
        let part = error.clamped(lowerBound: -Self.limit, upperBound: Self.limit) * share
        current[x + 2] += part * 7
        next[x] += part * 3
        next[x + 1] += part * 5
        next[x + 2] += part
    }
}
