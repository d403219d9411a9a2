import Raster

/// A square picture that everybody draws.
struct TestPicture: Sendable {
    /// What pictures have in common.
    enum Kind: String, CaseIterable, Sendable {
        case scene
        case night
        case highKey = "high key"
        case portrait
        case texture
        case lineArt = "line art"
        case text
        case gradient
        case pixelArt = "pixel art"
        case logo = "logo, alpha"
        case chart = "test chart"
    }

    /// A word for tables and file names.
    let name: String
    /// Its class.
    let kind: Kind
    /// The picture, square.
    let pixels: PixelBuffer
}
