/// A colour by hue, saturation and brightness (Smith's hexcone), each 0…1.
struct HSB: Hashable {
    var hue: Double
    var saturation: Double
    var brightness: Double

    init(hue: Double, saturation: Double, brightness: Double) {
        self.hue = hue
        self.saturation = saturation
        self.brightness = brightness
    }

    init(_ color: RGB) {
        let red = Double(color.red) / 255
        let green = Double(color.green) / 255
        let blue = Double(color.blue) / 255
        let top = max(red, green, blue)
        let span = top - min(red, green, blue)
        brightness = top
        saturation = top > 0 ? span / top : 0
        hue = 0
        guard span > 0 else { return }
        let sector: Double
        if top == red {
            sector = (green - blue) / span
        } else if top == green {
            sector = 2 + (blue - red) / span
        } else {
            sector = 4 + (red - green) / span
        }
        hue = sector < 0 ? sector / 6 + 1 : sector / 6
    }

    /// The nearest 24-bit colour.
    var rgb: RGB {
        func channel(_ offset: Double) -> UInt8 {
            let position = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
            let share = max(0, min(position, 4 - position, 1))
            return UInt8((brightness * (1 - saturation * share) * 255).rounded())
        }
        return RGB(red: channel(5), green: channel(3), blue: channel(1))
    }
}
