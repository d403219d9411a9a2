import Glibc

extension Painting {
    /// Pictures with the tones, grain and soft edges of photographs.
    static let natural = [ridges, city, mist, faces, foliage, gravel]

    /// Layers of mountains in haze, clouds, grain.
    private static let ridges = Painting(name: "ridges", kind: .scene) { x, y in
        let clouds = smoothStep(0.45, 0.8, Noise.fractal(x * 4, y * 9, octaves: 6, seed: 3))
        var color = Color(hex: 0x3A6EA8).mixed(with: Color(hex: 0xF2D9B8), y * 1.7)
            .mixed(with: Color(hex: 0xFBF3EA), clouds * 0.8)
        for layer in 0..<5 {
            let depth = Double(layer) / 4
            let top =
                0.42 + depth * 0.38
                - 0.22 * Noise.fractal(x * (2 + 3 * depth), Double(layer) * 9, octaves: 7, seed: 8)
            guard y > top else { continue }
            let detail = Noise.fractal(x * 40, y * 40, octaves: 4, seed: UInt64(layer))
            color = Color(hex: 0xA9B7C6).mixed(with: Color(hex: 0x1F3A22), depth)
                .scaled(0.75 + 0.5 * detail)
                .mixed(with: Color(hex: 0xE8DCCB), 0.35 * (1 - depth) * (y - top) * 6)
        }
        return color.scaled(0.96 + 0.08 * Noise.random(Int(x * 800), Int(y * 800)))
    }

    /// Lit windows and a moon with its glow: most of it nearly black.
    private static let city = Painting(name: "city", kind: .night) { x, y in
        let glow = exp(-9 * hypot(x - 0.76, y - 0.2))
        let moon = smoothStep(0.072, 0.068, hypot(x - 0.76, y - 0.2))
        var color = Color(hex: 0x05060F).mixed(with: Color(hex: 0x141B3A), y)
            .mixed(with: Color(hex: 0x9FB0D8), glow * 0.7)
        if Noise.random(Int(x * 160), Int(y * 160), seed: 4) > 0.9965, y < 0.5 {
            color = Color(hex: 0xDDE4FF)
        }
        color = color.mixed(with: Color(hex: 0xFFF7DC), moon)
        let tower = Int(x * 11)
        let height = 0.42 + 0.35 * Noise.random(tower, 1, seed: 6)
        guard y > height else { return color }
        let (column, row) = (x * 66, y * 60)
        let isPane =
            column - column.rounded(.down) > 0.35 && row - row.rounded(.down) > 0.4
            && Int(column) % 6 != 0
        let isLit = Noise.random(Int(column), Int(row), seed: 7) > 0.72
        guard isPane, isLit else { return Color(hex: 0x080A12) }
        return Color(hex: 0xFFC860)
            .mixed(with: Color(hex: 0x9CC8FF), Noise.random(Int(column), Int(row), seed: 9))
            .scaled(0.5 + 0.5 * Noise.random(Int(column), Int(row), seed: 11))
    }

    /// Pale trunks in fog: nothing darker than a light grey.
    private static let mist = Painting(name: "mist", kind: .highKey) { x, y in
        let fog = Noise.fractal(x * 3, y * 6, octaves: 5, seed: 21)
        var color = Color(hex: 0xF7F6F1).mixed(with: Color(hex: 0xDCE4EA), y * fog * 1.4)
        for layer in 0..<3 {
            let count = 5 + 4 * layer
            let bend = 0.03 * Noise.smooth(y * 4, Double(layer), seed: 5)
            let place = (x + bend) * Double(count)
            let middle = 0.5 + 0.5 * (Noise.random(Int(place), layer, seed: 30) - 0.5)
            let width = 0.05 + 0.05 * Double(layer) / 2
            let trunk = smoothStep(
                width, width * 0.7, abs(place - place.rounded(.down) - middle))
            let shade = Color(hex: 0xB9BFC0).mixed(with: Color(hex: 0x9A958C), Double(layer) / 2)
            color = color.mixed(with: shade, trunk * (0.25 + 0.25 * Double(layer)) * (1.1 - fog))
        }
        return color
    }

    /// Four heads in four skin tones, lit from the left.
    private static let faces = Painting(name: "faces", kind: .portrait) { x, y in
        let (column, row) = (Int(x * 2), Int(y * 2))
        let tones: [UInt32] = [0xF3CDB0, 0xC98F66, 0x8A5A3B, 0x4E3023]
        let grounds: [UInt32] = [0x6E8798, 0xB8A58A, 0x4F5D4A, 0xC7B7B0]
        let index = row * 2 + column
        let (u, v) = (x * 4 - Double(column * 2) - 1, y * 4 - Double(row * 2) - 1)
        var color = Color(hex: grounds[index]).scaled(1.1 - 0.35 * hypot(u + 0.5, v + 0.5))
        let tone = Color(hex: tones[index])
        if v > 0.45, abs(u) < 0.3 + (v - 0.45) * 1.5 { color = tone.scaled(0.62) }
        let hair = hypot(u / 0.66, (v + 0.16) / 0.74)
        if hair < 1 { color = Color(hex: [0x6B4A2A, 0x2A1B14, 0x18110E, 0x0E0B0A][index]) }
        let (faceX, faceY) = (u / 0.55, (v - 0.02) / 0.7)
        let radius = hypot(faceX, faceY)
        guard radius < 1, v > -0.42 + 0.2 * u * u else { return color }
        let depth = (1 - radius * radius).squareRoot()
        let light = max(0, -0.5 * faceX - 0.45 * faceY + 0.74 * depth)
        var skin = tone.scaled(0.42 + 0.72 * light)
        let cheek = exp(-14 * (pow(abs(u) - 0.3, 2) + pow(v - 0.2, 2)))
        skin = skin.mixed(with: Color(hex: 0xC8503C), cheek * 0.22)
        let eye = hypot((abs(u) - 0.22) / 0.1, (v + 0.06) / 0.055)
        if eye < 1 {
            skin = Color(hex: hypot(abs(u) - 0.22, v + 0.06) < 0.045 ? 0x20160F : 0xF4F0EA)
        }
        if abs(abs(u) - 0.22) < 0.13, abs(v + 0.19 + 0.4 * pow(abs(u) - 0.22, 2)) < 0.022 {
            skin = skin.scaled(0.35)
        }
        let nose = smoothStep(0.09, 0, abs(u - 0.05)) * smoothStep(0.02, 0.2, v)
        skin = skin.scaled(1 - 0.22 * nose * smoothStep(0.26, 0.2, v))
        let mouth = hypot(u / 0.19, (v - 0.38 - 0.3 * u * u) / 0.05)
        return mouth < 1 ? skin.mixed(with: Color(hex: 0x9C2F35), 0.6) : skin
    }

    /// Leaves over leaves, light falling through.
    private static let foliage = Painting(name: "foliage", kind: .texture) { x, y in
        var color = Color(hex: 0x0C1A0A)
        for layer in 0..<3 {
            let scale = 14.0 + 7 * Double(2 - layer)
            let leaf = Noise.cell(x * scale, y * scale * 0.8, seed: UInt64(layer * 10))
            guard leaf.distance < 0.52 else { continue }
            let green = Color(hue: 0.2 + 0.14 * leaf.id, saturation: 0.75, brightness: 0.85)
            color = green.scaled(
                (0.25 + 0.28 * Double(layer)) * (1.15 - leaf.distance) * (0.6 + 0.6 * leaf.id))
        }
        let sun = smoothStep(0.55, 0.85, Noise.fractal(x * 5, y * 5, seed: 60))
        return color.mixed(with: Color(hex: 0xF6F2B0), sun * 0.55)
    }

    /// Coloured grains of a few pixels: nothing but detail.
    private static let gravel = Painting(name: "gravel", kind: .texture) { x, y in
        let stone = Noise.cell(x * 70, y * 70, seed: 71)
        let tone = Color(hex: 0x8F8577).mixed(
            with: Color(hue: stone.id, saturation: 0.4, brightness: 0.8), 0.5)
        return tone.scaled((0.35 + stone.id * 0.9) * (1.25 - stone.distance * 1.1))
            .mixed(with: Color(hex: 0xEFE6D0), 0.2 * Noise.fractal(x * 6, y * 6, seed: 73))
    }
}
