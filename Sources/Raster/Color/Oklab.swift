import Glibc

/// A colour in Oklab (Björn Ottosson, 2020), where equal distances look about equally different.
struct Oklab {
    var lightness: Float
    var a: Float
    var b: Float

    init(lightness: Float, a: Float, b: Float) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    init(_ color: RGB) {
        let table = LinearLight.fromByte
        let scale = 1 / Float(LinearLight.maximum)
        let red = Float(table[Int(color.red)]) * scale
        let green = Float(table[Int(color.green)]) * scale
        let blue = Float(table[Int(color.blue)]) * scale
        // The published matrices: light to cone responses, their cube roots to lightness and two opponents.
        let long = cbrtf(0.412_221_47 * red + 0.536_332_54 * green + 0.051_445_99 * blue)
        let medium = cbrtf(0.211_903_50 * red + 0.680_699_55 * green + 0.107_396_96 * blue)
        let short = cbrtf(0.088_302_46 * red + 0.281_718_84 * green + 0.629_978_70 * blue)
        lightness = 0.210_454_26 * long + 0.793_617_79 * medium - 0.004_072_05 * short
        a = 1.977_998_50 * long - 2.428_592_21 * medium + 0.450_593_71 * short
        b = 0.025_904_04 * long + 0.782_771_77 * medium - 0.808_675_77 * short
    }

    /// How far from grey, 0 to about 0.3.
    var chroma: Float { (a * a + b * b).squareRoot() }

    func squaredDistance(to other: Oklab) -> Float {
        let lightness = self.lightness - other.lightness
        let a = self.a - other.a
        let b = self.b - other.b
        return lightness * lightness + a * a + b * b
    }
}
