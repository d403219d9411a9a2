import Basics
import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Two pictures or folders of pictures, and what differs.
    @Suite("Comparing") struct ComparisonTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private func compare(_ options: [String], _ names: String...) throws -> ProgramRun {
            try ProgramRun(
                options + ["--compare"] + names.map { folder.path + "/" + $0 }, in: folder,
                seconds: 300)
        }

        private func write(_ color: RGB, to name: String) throws {
            try folder.write(
                ImageEncoder.png(
                    PixelBuffer(filledWith: color, size: PixelSize(width: 80, height: 60))),
                to: name)
        }

        /// Returns the boxes that a run prints, by the names of the pictures.
        private func boxes(_ run: ProgramRun) -> [String: Scene.Box] {
            let title = /"title":"([^"]*): (\d+)×(\d+) at (\d+),(\d+) differ"/
            let found = run.lines.compactMap { line -> (String, Scene.Box)? in
                guard let match = line.firstMatch(of: title)?.output,
                    let width = Int(match.2), let height = Int(match.3), let x = Int(match.4),
                    let y = Int(match.5)
                else { return nil }
                return (String(match.1), Scene.Box(x: x..<x + width, y: y..<y + height))
            }
            return Dictionary(found) { first, _ in first }
        }

        @Test("the box is around what was changed in each of sixty pairs, and nowhere else")
        func sixty() throws {
            var changed: [String: Scene.Box] = [:]
            for seed in 0..<60 {
                var scene = Scene(seed: UInt64(seed))
                let name = "\(seed).png"
                let old = scene.pixels
                try folder.write(ImageEncoder.png(old), to: "old/" + name)
                try folder.write(
                    ImageEncoder.jpeg(old, JPEGOptions(quality: 60 + seed % 36)),
                    to: "compressed/" + name)
                let change = Scene.Change.allCases[seed % 4]
                changed[name] = scene.apply(change)
                // A shift by one pixel is no more than the noise.
                let isNoisy = seed % 8 > 3 && change != .shift
                try folder.write(
                    isNoisy
                        ? ImageEncoder.jpeg(scene.pixels, JPEGOptions(quality: 90))
                        : ImageEncoder.png(scene.pixels), to: "new/" + name)
            }
            let run = try compare(["--json"], "old", "new")
            #expect(run.code == 3 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.lines.count == 180)
            let found = boxes(run)
            for (name, box) in changed {
                let overlap = found[name]?.overlap(with: box) ?? 0
                #expect(overlap >= 0.9, "\(name): \(String(describing: found[name])), not \(box)")
            }
            let compressed = try compare(["--json"], "old", "compressed")
            #expect(compressed.code == 0, "\(boxes(compressed)) \(compressed.errors)")
            #expect(compressed.errors == ["halftone: nothing differs"])
            #expect(compressed.output.isEmpty)
        }

        @Test("one is side by side with the other, in its place, and their difference; n goes on")
        func views() throws {
            let (red, blue) = (RGB(0xCC0000), RGB(0x0000CC))
            for name in ["a.png", "b.png", "c.png"] { try write(red, to: "old/" + name) }
            try write(blue, to: "new/a.png")
            try write(red, to: "new/b.png")
            try write(blue, to: "new/c.png")
            let screen = try ProgramScreen(
                ["--compare", folder.path + "/old", folder.path + "/new", "--sort", "random"],
                in: folder)
            func shows(_ colors: RGB...) -> Bool {
                screen.wait { screen in
                    let seen = screen.colors(in: CellRect(screen.grid.size))
                    return [red, blue, RGB(0xFF0090)].allSatisfy {
                        seen.contains(CellColor($0)) == colors.contains($0)
                    }
                }
            }
            #expect(shows(red, blue), "\(screen.screen.text)")
            #expect(screen.position == "1/6" && screen.bottom.contains("a.png: old"))
            screen.type("x")
            #expect(shows(red))
            screen.type("x")
            #expect(shows(blue) && screen.bottom.contains("a.png: new"))
            screen.type("x")
            #expect(shows(red))
            screen.type("d")
            #expect(shows(RGB(0xFF0090)) && screen.bottom.contains("80×60 at 0,0 differ"))
            screen.type("x")
            #expect(screen.waitFor("nothing is beside this picture"))
            screen.type("d")
            #expect(shows(red, blue))
            screen.type("n")
            #expect(screen.wait { $0.position == "4/6" && $0.bottom.contains("c.png: old") })
            #expect(shows(red, blue))
            screen.type("n")
            #expect(screen.waitFor("this is the last picture"))
            screen.type("p")
            #expect(screen.wait { $0.position == "1/6" })
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty)
        }

        @Test("the exit code says whether anything differs; what cannot be compared is one line")
        func codes() throws {
            try write(RGB(0xCC0000), to: "old/a.png")
            try write(RGB(0xCC0000), to: "same.png")
            try write(RGB(0xCC0000), to: "new/a.png")
            try write(RGB(0x0000CC), to: "new/only.png")
            #expect(try compare(["--print"], "old/a.png", "same.png").code == 0)
            let added = try compare(["--print"], "old", "new")
            #expect(added.code == 3 && added.output.contains("only.png"), "\(added.errors)")
            let new = try ProgramRun(
                ["--json", "--compare", "/dev/null", folder.path + "/same.png"], in: folder)
            #expect(new.code == 3 && new.output.contains("same.png: 80×60 at 0,0"), "\(new.errors)")
            let larger = PixelBuffer(
                filledWith: RGB(0xCC0000), size: PixelSize(width: 80, height: 6000))
            try folder.write(ImageEncoder.png(larger), to: "larger.png")
            let sizes = try compare(["--json"], "same.png", "larger.png")
            #expect(
                sizes.code == 3 && sizes.output.contains("×6000 at 0,0 differ"), "\(sizes.errors)")
            try folder.write("no picture", to: "broken.png")
            let broken = try compare(["--print"], "broken.png", "same.png")
            #expect(broken.code == 1 && broken.errors.count == 1, "\(broken.errors)")
            #expect(broken.errors.first?.contains("broken.png: ") == true)
            for names in [["old", "same.png"], ["same.png"], ["missing.png", "same.png"]] {
                let run = try ProgramRun(
                    ["--print", "--compare"] + names.map { folder.path + "/" + $0 }, in: folder)
                #expect(run.code == 2 && run.errors.count == 1, "\(names): \(run.errors)")
            }
        }
    }
}

/// A drawing with fine texture and shapes, of which a piece can be changed.
private struct Scene {
    /// The pixels.
    private(set) var pixels: PixelBuffer
    private var state: UInt64

    struct Box {
        let x: Range<Int>, y: Range<Int>

        /// Returns the share that two boxes have in common of what they cover together.
        func overlap(with other: Box) -> Double {
            let common = x.clamped(to: other.x).count * y.clamped(to: other.y).count
            let all = x.count * y.count + other.x.count * other.y.count - common
            return Double(common) / Double(all)
        }
    }

    enum Change: CaseIterable { case shift, color, removed, added }

    init(seed: UInt64) {
        state = seed
        pixels = PixelBuffer(
            filledWith: RGB(0xE8E4D8), size: PixelSize(width: 160, height: 120))
        for row in 0..<120 {
            for column in 0..<160 {
                let wave = sin(Double(column) / 5) * cos(Double(row) / 7 + Double(seed)) * 12
                for channel in 0..<3 {
                    pixels.bytes[(row * 160 + column) * 4 + channel] = UInt8(200 + wave)
                }
            }
        }
        for _ in 0..<24 {
            let (x, y) = (random(below: 140), random(below: 104))
            let color = [random(below: 256), random(below: 256), random(below: 256)].map(UInt8.init)
            let box = Box(x: x..<x + 3 + random(below: 17), y: y..<y + 3 + random(below: 13))
            edit(box) { channel, _ in color[channel] }
        }
    }

    /// Changes a piece, and returns the box around the pixels that are another colour now.
    mutating func apply(_ change: Change) -> Box {
        let (x, y) = (8 + random(below: 80), 8 + random(below: 60))
        let box = Box(x: x..<x + 24 + random(below: 40), y: y..<y + 20 + random(below: 28))
        let old = pixels
        let color = [random(below: 256), random(below: 256), random(below: 256)].map(UInt8.init)
        switch change {
        case .shift: edit(box) { old.bytes[$1 + 4 + $0] }
        case .color: edit(box) { $0 == 1 ? old.bytes[$1 + 1] &+ 120 : old.bytes[$1 + $0] }
        case .removed: edit(box) { channel, _ in channel == 2 ? 40 : 90 }
        case .added: edit(box) { channel, _ in color[channel] }
        }
        let places = (0..<160 * 120).filter {
            pixels.bytes[$0 * 4..<$0 * 4 + 4] != old.bytes[$0 * 4..<$0 * 4 + 4]
        }
        let columns = places.map { $0 % 160 }
        return Box(
            x: (columns.min() ?? 0)..<(columns.max() ?? 0) + 1,
            y: (places.first ?? 0) / 160..<(places.last ?? 0) / 160 + 1)
    }

    private mutating func edit(_ box: Box, _ value: (_ channel: Int, _ start: Int) -> UInt8) {
        for row in box.y {
            for column in box.x {
                let start = (row * 160 + column) * 4
                for channel in 0..<3 { pixels.bytes[start + channel] = value(channel, start) }
            }
        }
    }

    /// Knuth's generator (MMIX).
    private mutating func random(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
