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
struct Grain {
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
