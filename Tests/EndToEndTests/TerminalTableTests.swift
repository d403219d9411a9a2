import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Terminal detection") struct TerminalTableTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        /// Creates a gallery whose only picture is noise, which uses every block of a set.
        private func gallery() throws -> ProgramGallery {
            let gallery = try ProgramGallery(count: 1)
            var random = RandomCells(seed: 5)
            let size = PixelSize(width: 240, height: 180)
            // The grain is as large as the parts of a tile's octants.
            let grain = (0..<48 * 36).map { _ in random.next() }
            let bytes = (0..<size.width * size.height).flatMap { place -> [UInt8] in
                let noise = grain[place / size.width / 5 * 48 + place % size.width / 5]
                return [UInt8(noise & 255), UInt8(noise >> 8 & 255), UInt8(noise >> 16 & 255), 255]
            }
            let png = try ImageEncoder.png(PixelBuffer(size: size, bytes: bytes, isOpaque: true))
            gallery.server.route(gallery.thumbnailPath(1)) { _ in .bytes(png, type: "image/png") }
            return gallery
        }

        @Test(
            "every terminal gets its colours and blocks automatically",
            arguments: RecordedTerminal.all)
        func table(terminal: RecordedTerminal) throws {
            let gallery = try gallery()
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: terminal.environment,
                answers: terminal.answers)
            #expect(
                screen.wait { $0.drawing == Drawing(terminal.depth, terminal.blocks) },
                "\(String(describing: screen.drawing))\n\(screen.screen.text)")
            #expect(
                screen.bottom.contains("is not in the terminfo database") == terminal.isUndescribed)
            screen.type("l")
            // No query remains on the screen, and no reply was taken for a key.
            #expect(screen.wait { $0.position == "1/1" && !$0.screen.text.contains("+q") })
            // A placeholder may have the same colours and blocks.
            #expect(screen.wait { _ in gallery.server.count(of: gallery.thumbnailPath(1)) > 0 })
            #expect(gallery.server.count(of: gallery.thumbnailPath(1)) == 1)
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test(
            "--print detects them too and erases any query text that a terminal printed",
            arguments: RecordedTerminal.all)
        func printing(terminal: RecordedTerminal) throws {
            let gallery = try gallery()
            let screen = try ProgramScreen(
                ["--print", gallery.address], in: folder, environment: terminal.environment,
                size: CellSize(columns: 80, rows: 40), answers: terminal.answers)
            #expect(screen.waitForExit() == .code(0))
            #expect(screen.drawing == Drawing(terminal.depth, terminal.blocks))
            #expect(!screen.screen.text.contains("+q") && !screen.screen.text.contains("$q"))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            if terminal.answers != nil { #expect(screen.process.takeUnreadInput() == []) }
        }

        @Test(
            "a late reply redraws the picture from the cache, and none of its bytes is a key",
            arguments: [false, true])
        func late(isPiecemeal: Bool) throws {
            let gallery = try gallery()
            let terminal = RecordedTerminal.all[0]
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: terminal.environment,
                answers: terminal.answers, holdsAnswers: true)
            #expect(screen.wait { $0.drawing == Drawing(.palette8, .quadrant) })
            screen.settle()
            screen.process.answer(isPiecemeal: isPiecemeal)
            #expect(screen.wait { $0.drawing == Drawing(.truecolor, .quadrant) })
            screen.settle()
            #expect(screen.bottom.contains("1/1  \(ProgramGallery.title(1))"), "\(screen.bottom)")
            #expect(screen.changesByRedraw() == [])
            #expect(gallery.server.count(of: gallery.thumbnailPath(1)) == 1)
        }

        @Test("options, and keys pressed in the meantime, take precedence over any reply")
        func forced() throws {
            let gallery = try gallery()
            let terminal = RecordedTerminal.all[2]
            let forced = try ProgramScreen(
                ["--colors=256", "--blocks=half", gallery.address], in: folder,
                environment: terminal.environment, answers: terminal.answers)
            #expect(forced.wait { $0.drawing == Drawing(.palette256, .half) })
            forced.settle()
            #expect(forced.drawing == Drawing(.palette256, .half))
            let chosen = try ProgramScreen(
                [gallery.address], in: folder,
                environment: ["TERM": "xterm", "COLORTERM": ""],
                size: CellSize(columns: 80, rows: 25),
                answers: terminal.answers, holdsAnswers: true)
            #expect(chosen.wait { $0.drawing == Drawing(.palette8, .quadrant) })
            chosen.type("C")
            #expect(chosen.wait { $0.bottom.contains("colours: mono") })
            chosen.process.answer()
            #expect(chosen.wait { $0.drawing == Drawing(.mono, .sextant) })
            chosen.type("C")
            #expect(chosen.wait { $0.drawing == Drawing(.truecolor, .sextant) })
        }
    }
}

/// The colours and blocks with which the first picture is drawn.
private struct Drawing: Equatable {
    var depth: ColorDepth
    var blocks: BlockSet

    init(_ depth: ColorDepth, _ blocks: BlockSet) {
        self.depth = depth
        self.blocks = blocks
    }
}

extension RecordedTerminal {
    /// Whether no description of the terminal is installed here.
    fileprivate var isUndescribed: Bool {
        let name = environment["TERM"] ?? ""
        let folders = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
        return !folders.contains { access("\($0)/\(name.prefix(1))/\(name)", R_OK) == 0 }
    }
}

extension ProgramScreen {
    /// What its cells show; nil before the picture is there.
    fileprivate var drawing: Drawing? {
        guard let place = place(of: ProgramGallery.title(1)) else { return nil }
        let shown = CellRect(x: place.x, y: max(0, place.y - 9), columns: 24, rows: 9)
        let picture = (0..<shown.size.columns * shown.size.rows).map {
            grid[shown.x + $0 % shown.size.columns, shown.y + $0 / shown.size.columns]
        }
        guard picture.count(where: { $0.glyph >= 0x2580 }) > 20 else { return nil }
        return Drawing(Self.depth(of: picture), Self.blocks(of: picture))
    }

    private static func depth(of cells: [Cell]) -> ColorDepth {
        let colors = cells.flatMap(\.visibleColors).filter { $0 != .standard }
        if colors.contains(where: { $0.rgb != nil }) { return .truecolor }
        switch colors.compactMap(\.paletteIndex).max() {
        case .some(16...): return .palette256
        case .some(8...): return .palette16
        case .some: return .palette8
        case nil: return .mono
        }
    }

    private static func blocks(of cells: [Cell]) -> BlockSet {
        let glyphs = Set(cells.map(\.glyph))
        if glyphs.contains(where: { (0x1CD00...0x1CDE5).contains($0) }) { return .octant }
        if glyphs.contains(where: { (0x1FB00...0x1FB3B).contains($0) }) { return .sextant }
        return glyphs.contains { (0x2596...0x259F).contains($0) } ? .quadrant : .half
    }
}
