/// A colour as lightness and two differences to it, which tell its tint; in encoded sRGB.
///
/// For palettes so coarse that nothing is near: by plain distance a mid grey is as near to red as to black, and a
/// dithered road becomes confetti; this way greys are mixed from greys as long as there are any. Chosen by
/// looking, against plain weighted distance and Oklab.
struct OpponentColor: Hashable {
    let lightness: Int
    let red: Int
    let blue: Int

    init(_ color: RGB) {
        lightness = Int(color.luma)
        red = Int(color.red) - lightness
        blue = Int(color.blue) - lightness
    }

    /// Lightness counts twice, as the eye finds shapes by it.
    func squaredDistance(to other: OpponentColor) -> Int {
        let lightness = self.lightness - other.lightness
        let red = self.red - other.red
        let blue = self.blue - other.blue
        return 2 * lightness * lightness + red * red + blue * blue
    }
}

extension RGB {
    /// The lightness as a code 0…255: the luma of BT.709.
    var luma: UInt8 {
        let sum = 2126 * Int(red) + 7152 * Int(green) + 722 * Int(blue)
        return UInt8((sum + 5000) / 10000)
    }
}
