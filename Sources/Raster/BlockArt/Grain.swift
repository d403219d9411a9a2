/// How much a picture is dithered.
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
