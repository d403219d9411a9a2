import Glibc
import ImageCodecs
import TestSupport
import Testing

@testable import Raster
@testable import Terminal

/// Frames with pixels, interpreted by an emulator of the protocols: the result must be the picture.
@Suite struct PixelLayerTests {
    static let size = CellSize(columns: 40, rows: 16)
    static let cell = PixelSize(width: 6, height: 13)
    static let cells = CellSize(columns: 12, rows: 5)

    /// Returns a smooth coloured picture, different for each number.
    static func pixels(_ number: Int) -> PixelBuffer {
        let size = PixelSize(
            width: cells.columns * cell.width, height: cells.rows * cell.height)
        let bytes = (0..<size.width * size.height).flatMap { place -> [UInt8] in
            let (x, y) = (place % size.width, place / size.width)
            return [
                UInt8(x * 255 / size.width), UInt8(y * 255 / size.height),
                UInt8((x + y + number * 40) % 256), 255,
            ]
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }

    static func picture(_ number: Int, _ method: PixelMethod) -> CodedPicture {
        let pixels = pixels(number)
        let code: CodedPicture.Code =
            isSixel(method)
            ? .palette(PalettePicture(pixels, colors: 256)) : .png(pixels.pngFile)
        return CodedPicture(code, size: pixels.size, cells: cells)
    }

    /// A layer, the terminal it writes to, and the previous frame.
    struct Stage {
        let layer = PixelLayer()
        let screen = ScreenEmulator(size: PixelLayerTests.size)
        var shown = Canvas(size: PixelLayerTests.size)
        var bytes = 0

        init(_ method: PixelMethod) {
            layer.method = method
            screen.graphics.cell = PixelLayerTests.cell
            if method == .tmux { attach() }
        }

        /// Attaches tmux to another terminal.
        func attach() {
            var answers = TerminalAnswers()
            answers.outer = [:]
            screen.answers = answers
        }

        /// Shows the pictures with their top left cells at these positions, below a panel that covers `panel`; through tmux until the last
        /// has arrived.
        mutating func show(
            _ places: [(CodedPicture, x: Int, y: Int)], panel: CellRect? = nil,
            clip: CellRect = CellRect(x: 0, y: 1, columns: 40, rows: 14), portion: Int = 2000
        ) {
            repeat {
                draw(places, panel, clip)
                while layer.tmux.transfer.picture != nil,
                    screen.takeAnswers().suffix(4) == Array("\u{1B}[0n".utf8)
                {
                    screen.feed(layer.continueTransfer(at: 0, portion: portion))
                }
            } while layer.method == .tmux && layer.isWaiting
        }

        private mutating func draw(
            _ places: [(CodedPicture, x: Int, y: Int)], _ panel: CellRect?, _ clip: CellRect
        ) {
            var canvas = Canvas(size: PixelLayerTests.size)
            canvas.clip = clip
            for (picture, x, y) in places {
                let frame = CellRect(
                    x: x, y: y, columns: picture.cells.columns, rows: picture.cells.rows)
                canvas.fill(frame, with: Cell(glyph: 0x2580))
                canvas.markPicture(frame)
                canvas.place(picture, centeredIn: frame)
            }
            if let panel { canvas.fill(panel, with: Cell(glyph: 0x78)) }
            let before = layer.admit(into: &canvas, over: &shown, isCleared: false, at: 0)
            let wanted = canvas.cells.indices.map { canvas.cells[$0] != shown.cells[$0] }
            var writer = CellWriter(
                depth: .palette256, writesPlaceholders: layer.method?.writesPlaceholders ?? false)
            for y in 0..<canvas.size.rows {
                let row = y * canvas.size.columns..<(y + 1) * canvas.size.columns
                Array(canvas.cells[row]).withUnsafeBufferPointer { cells in
                    Array(wanted[row]).withUnsafeBufferPointer {
                        writer.write(row: cells, y: y, wanted: $0)
                    }
                }
            }
            let frame =
                before + writer.written.flatMap(\.self) + layer.paint(canvas, wanted: wanted)
            bytes = frame.count
            screen.feed(frame)
            shown = canvas
        }

        /// Returns the similarity of the pixels in `area` to that part of picture `number`, in dB; nil if there are none.
        func likeness(
            _ number: Int, _ area: CellRect, column: Int = 0, row: Int = 0
        ) -> Double? {
            guard let seen = screen.pixels(of: area) else { return nil }
            let (whole, cell) = (PixelLayerTests.pixels(number), PixelLayerTests.cell)
            var sum = 0.0
            for y in 0..<seen.size.height {
                for x in 0..<seen.size.width {
                    let one = (y * seen.size.width + x) * 4
                    let other =
                        ((row * cell.height + y) * whole.size.width + column * cell.width + x) * 4
                    for channel in 0..<3 {
                        let off =
                            Double(seen.bytes[one + channel])
                            - Double(whole.bytes[other + channel])
                        sum += off * off
                    }
                }
            }
            let mean = sum / Double(seen.size.width * seen.size.height * 3)
            return mean == 0 ? 99 : 10 * log10(255 * 255 / mean)
        }
    }

    /// Returns a picture with so many bytes that they are sent in several pieces.
    static func noise(_ number: Int, _ method: PixelMethod) -> CodedPicture {
        var word = UInt64(number)
        let size = PixelSize(width: 360, height: 195)
        let bytes = (0..<size.width * size.height).flatMap { _ -> [UInt8] in
            word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return [UInt8(word >> 56), UInt8(word >> 48 & 255), UInt8(word >> 40 & 255), 255]
        }
        let pixels = PixelBuffer(size: size, bytes: bytes, isOpaque: true)
        return CodedPicture(
            isSixel(method)
                ? .palette(PalettePicture(pixels, colors: 16)) : .png(pixels.pngFile),
            size: size, cells: CellSize(columns: 10, rows: 3))
    }

    static let all: [PixelMethod] = [
        .placeholders, .tmux, .kitty, .sixel, .tmuxSixels(8), .iterm,
    ]

    private static func isSixel(_ method: PixelMethod) -> Bool {
        method == .sixel || method == .tmuxSixels(8)
    }

    @Test("the terminal shows the exact picture", arguments: all)
    func whole(_ method: PixelMethod) throws {
        var stage = Stage(method)
        stage.show([(Self.picture(1, method), 3, 2), (Self.picture(2, method), 20, 9)])
        for (number, x, y) in [(1, 3, 2), (2, 20, 9)] {
            let area = CellRect(x: x, y: y, columns: 12, rows: 5)
            let likeness = try #require(stage.likeness(number, area))
            #expect(likeness >= (Self.isSixel(method) ? 30 : 99), "\(number): \(likeness) dB")
        }
        #expect(stage.screen.graphics.faults == [])
    }

    @Test("unchanged pictures are not sent again, and moved ones move", arguments: all)
    func moving(_ method: PixelMethod) throws {
        var stage = Stage(method)
        let picture = Self.picture(3, method)
        stage.show([(picture, 2, 3)])
        stage.show([(picture, 2, 3)])
        #expect(stage.bytes == 0)
        let sent = stage.screen.graphics.sentCount
        stage.show([(picture, 20, 8)])
        let area = CellRect(x: 20, y: 8, columns: 12, rows: 5)
        #expect(try #require(stage.likeness(3, area)) >= 30)
        #expect(stage.screen.pixels(of: CellRect(x: 2, y: 3, columns: 1, rows: 1)) == nil)
        let isHeld = [.placeholders, .tmux, .kitty].contains(method)
        #expect((stage.screen.graphics.sentCount == sent) == isHeld)
        stage.show([])
        #expect(stage.screen.pixels(of: CellRect(x: 20, y: 8, columns: 1, rows: 1)) == nil)
        #expect(stage.screen.graphics.placeCount == 0)
        #expect(stage.screen.graphics.faults == [])
    }

    @Test(
        "a picture is clipped by the screen's edge and panels, and whole again afterwards",
        arguments: all)
    func clipping(_ method: PixelMethod) throws {
        var stage = Stage(method)
        let picture = Self.picture(4, method)
        let isCut = method != .iterm && method != .tmuxSixels(8)
        // Its first two rows and its last column are outside.
        stage.show([(picture, 29, -1)])
        let rest = CellRect(x: 29, y: 1, columns: 11, rows: 3)
        if isCut {
            #expect(try #require(stage.likeness(4, rest, row: 2)) >= 30)
        } else {
            #expect(stage.screen.pixels(of: rest) == nil)
        }
        let panel = CellRect(x: 8, y: 6, columns: 10, rows: 4)
        stage.show([(picture, 4, 5)])
        stage.show([(picture, 4, 5)], panel: panel)
        for (x, y) in [(8, 6), (15, 9)] {
            #expect(stage.screen.grid[x, y].glyph == 0x78)
            let cell = stage.screen.pixels(of: CellRect(x: x, y: y, columns: 1, rows: 1))
            #expect(cell == nil)
        }
        if isCut {
            let left = CellRect(x: 4, y: 5, columns: 4, rows: 5)
            #expect(try #require(stage.likeness(4, left)) >= 30)
        }
        stage.show([(picture, 4, 5)])
        let area = CellRect(x: 4, y: 5, columns: 12, rows: 5)
        #expect(try #require(stage.likeness(4, area)) >= 30)
        #expect(stage.screen.graphics.faults == [])
    }

    @Test(
        "a frame sends a limited amount, and the rest follows in the next frames",
        arguments: all.filter { $0 != .tmux })
    func budget(_ method: PixelMethod) throws {
        var stage = Stage(method)
        let places = (0..<8).map {
            (Self.noise($0, method), x: $0 % 4 * 10, y: 1 + $0 / 4 * 4)
        }
        var frames = 0
        repeat {
            stage.show(places)
            frames += 1
            #expect(stage.bytes < 2 * PixelLayer.maxBytes + 400_000)
        } while stage.layer.isWaiting && frames < 20
        #expect((2...8).contains(frames))
        let isShown = !Self.isSixel(method)
        if isShown {
            #expect(stage.screen.pixels(of: CellRect(x: 0, y: 1, columns: 40, rows: 3)) != nil)
        }
    }

    @Test(
        "the frames of an animation are sent once; then the terminal plays them without a byte",
        arguments: [PixelMethod.placeholders, .kitty])
    func film(_ method: PixelMethod) throws {
        var stage = Stage(method)
        let area = CellRect(x: 2, y: 2, columns: 12, rows: 5)
        let frames = (0..<4).map { (picture: Self.picture($0, method), milliseconds: 80) }
        for last in frames.indices {
            let film = Film(Array(frames[...last]), at: last, isPlaying: false)
            stage.show([(CodedPicture(film), 2, 2)])
            #expect(try #require(stage.likeness(last, area)) >= 99)
            #expect(stage.screen.graphics.sentCount == last + 1)
        }
        let whole = CodedPicture(Film(frames, at: 0, isPlaying: true))
        stage.show([(whole, 2, 2)])
        #expect(stage.screen.graphics.films.values.map(\.isPlaying) == [true])
        #expect(stage.screen.graphics.sentCount == 4 && (1..<100).contains(stage.bytes))
        stage.show([(whole, 2, 2)])
        #expect(stage.bytes == 0)
        stage.show([(CodedPicture(Film(frames, at: 2, isPlaying: false)), 2, 2)])
        #expect(stage.screen.graphics.films.values.map(\.isPlaying) == [false])
        #expect(try #require(stage.likeness(2, area)) >= 99)
        // A terminal that has lost them gets them again.
        stage.screen.feed(stage.layer.reset())
        stage.shown = Canvas(size: Self.size)
        stage.show([(whole, 2, 2)])
        #expect(stage.screen.graphics.sentCount == 8)
        #expect(stage.screen.graphics.films.values.map(\.isPlaying) == [true])
        #expect(stage.screen.graphics.faults == [])
    }

    @Test("a long animation is sent in several frames, and shown by its first picture until then")
    func longFilm() throws {
        var stage = Stage(.kitty)
        let frames = (0..<9).map { (picture: Self.noise($0, .kitty), milliseconds: 80) }
        let film = CodedPicture(Film(frames, at: 8, isPlaying: true))
        var count = 0
        repeat {
            stage.show([(film, 2, 2)])
            count += 1
            #expect(stage.bytes < PixelLayer.maxBytes + 700_000)
            #expect(stage.screen.graphics.films.values.allSatisfy { !$0.isPlaying || count > 2 })
        } while stage.layer.isWaiting && count < 20
        #expect((3...9).contains(count))
        #expect(stage.screen.graphics.films.values.map(\.frames.count) == [9])
        #expect(stage.screen.graphics.films.values.map(\.isPlaying) == [true])
        #expect(stage.screen.graphics.faults == [])
    }

    @Test(
        "at exit nothing is left in the terminal",
        arguments: [PixelMethod.placeholders, .kitty])
    func reset(_ method: PixelMethod) {
        var stage = Stage(method)
        stage.show([(Self.picture(5, method), 2, 2), (Self.picture(6, method), 20, 2)])
        #expect(stage.screen.graphics.files.count == 2)
        stage.screen.feed(stage.layer.reset())
        #expect(stage.screen.graphics.files.isEmpty && stage.screen.graphics.placeCount == 0)
    }

    @Test(
        "an interrupted picture is terminated, and the next one is intact",
        arguments: [PixelMethod.placeholders, .kitty])
    func cut(_ method: PixelMethod) throws {
        var stage = Stage(method)
        let frame = CellRect(x: 2, y: 2, columns: 10, rows: 3)
        var canvas = Canvas(size: Self.size)
        canvas.fill(frame, with: Cell(glyph: 0x2580))
        canvas.markPicture(frame)
        canvas.place(Self.noise(1, method), centeredIn: frame)
        let sent = stage.layer.admit(into: &canvas, over: &stage.shown, isCleared: false, at: 0)
        try #require(sent.count > 20_000)
        stage.screen.feed(Array(sent[..<6000]))
        stage.screen.feed(stage.layer.afterCut)
        stage.screen.feed(stage.layer.reset())
        stage.show([(Self.picture(2, method), 20, 9)])
        let area = CellRect(x: 20, y: 9, columns: 12, rows: 5)
        #expect(try #require(stage.likeness(2, area)) >= 99)
    }

    @Test("through tmux nothing is freed or resent as pictures are shown and hidden")
    func keeping() {
        var stage = Stage(.tmux)
        let picture = Self.picture(5, .tmux)
        stage.show([(picture, 2, 2)])
        for method in [nil, PixelMethod.tmux] {
            let bytes = stage.layer.reset()
            #expect(bytes == [])
            stage.layer.method = method
        }
        stage.show([])
        stage.show([(picture, 2, 2)])
        #expect(stage.likeness(5, CellRect(x: 2, y: 2, columns: 12, rows: 5)) == 99)
        #expect(stage.screen.graphics.sentCount == 1 && stage.screen.graphics.files.count == 1)
    }

    @Test("sixels in tmux lie over blocks, which are rewritten where it must forget one")
    func overBlocks() throws {
        var stage = Stage(.tmuxSixels(2))
        let pictures = (0..<3).map { Self.picture($0, .tmuxSixels(8)) }
        stage.show([(pictures[0], 0, 2), (pictures[1], 14, 2)])
        #expect(stage.screen.grid[3, 3].glyph == 0x2580)
        #expect(try #require(stage.likeness(0, CellRect(x: 0, y: 2, columns: 12, rows: 5))) >= 30)
        // The second goes, though its cells stay as they are.
        stage.show([(pictures[0], 0, 2), (pictures[2], 14, 2)])
        #expect(try #require(stage.likeness(2, CellRect(x: 14, y: 2, columns: 12, rows: 5))) >= 30)
        let sent = stage.screen.graphics.sentCount
        var canvas = Canvas(size: Self.size)
        var before = stage.shown
        let bytes = stage.layer.admit(
            into: &canvas, over: &before, isCleared: false, at: 0)
        for x in [0, 14] {
            #expect(bytes.contains(TerminalSequence.dropSixel(x: x, y: 2)))
            #expect(before.cells[2 * Self.size.columns + x] == .blank)
        }
        stage.show([(pictures[0], 0, 2)])
        #expect(stage.screen.graphics.sentCount == sent)
        // More than tmux keeps, or in the last row, where it would scroll: none.
        stage.show(pictures.enumerated().map { ($1, $0 * 13, 2) })
        #expect(stage.screen.pixels(of: CellRect(x: 0, y: 2, columns: 1, rows: 1)) == nil)
        stage.show([(pictures[0], 0, 11)], clip: CellRect(Self.size))
        #expect(stage.screen.pixels(of: CellRect(x: 0, y: 12, columns: 1, rows: 1)) == nil)
    }

    @Test("a roll call is answered for lost pictures, which are sent again")
    func recheck() {
        var stage = Stage(.tmux)
        let picture = Self.picture(7, .tmux)
        stage.show([(picture, 2, 3)])
        _ = stage.screen.takeAnswers()
        stage.screen.feed(
            stage.layer.restartTransfer() + stage.layer.tmux.recheck(of: stage.shown.pictures))
        #expect(stage.screen.takeAnswers() == [])
        stage.attach()
        #expect(stage.likeness(7, CellRect(x: 2, y: 3, columns: 12, rows: 5)) == nil)
        stage.screen.feed(
            stage.layer.restartTransfer() + stage.layer.tmux.recheck(of: stage.shown.pictures))
        let answer = String(decoding: stage.screen.takeAnswers().dropFirst(2), as: UTF8.self)
        let reply = TerminalReply(
            EscapeSequence(introducer: "_", body: String(answer.dropLast(2)), final: "\\"))
        #expect(reply == .pictureIsLost, "\(answer)")
        stage.layer.tmux.forget()
        stage.show([(picture, 2, 3)])
        #expect(stage.likeness(7, CellRect(x: 2, y: 3, columns: 12, rows: 5)) == 99)
        #expect(stage.screen.graphics.faults == [])
    }

    @Test("a picture sent through tmux is terminated wherever it is cut, and the next is intact")
    func cutting() {
        let picture = Self.picture(8, .tmux)
        var whole = Stage(.tmux)
        whole.show([(picture, 2, 3)])
        let layer = PixelLayer()
        layer.method = .tmux
        var canvas = Canvas(size: Self.size)
        let frame = CellRect(x: 2, y: 3, columns: 12, rows: 5)
        canvas.fill(frame, with: Cell(glyph: 0x2580))
        canvas.markPicture(frame)
        canvas.place(picture, centeredIn: frame)
        var before = Canvas(size: Self.size)
        var bytes = layer.admit(
            into: &canvas, over: &before, isCleared: false, at: 0)
        bytes += layer.continueTransfer(at: 0, portion: .max)
        // Before each escape character, where output is cut.
        for end in bytes.indices where bytes[end] == 0x1B {
            var stage = Stage(.tmux)
            stage.screen.feed(Array(bytes[..<end]))
            _ = stage.screen.takeAnswers()
            stage.screen.feed(layer.afterCut)
            #expect(stage.screen.graphics.pending == nil)
            stage.show([(picture, 2, 3)])
            #expect(stage.likeness(8, frame) == 99, "cut at \(end)")
        }
    }

    @Test("tmux is sent no more than it buffers until its terminal has replied")
    func portions() {
        let places = (0..<2).map { (Self.noise($0, .tmux), x: $0 * 20, y: 2) }
        var stage = Stage(.tmux)
        stage.show(places)
        for (picture, x, y) in places {
            let area = CellRect(
                x: x, y: y, columns: picture.cells.columns, rows: picture.cells.rows)
            #expect(stage.screen.pixels(of: area) != nil)
        }
        #expect(stage.screen.graphics.faults == [])
        // So the terminal in this test does throw away what is too much.
        stage = Stage(.tmux)
        stage.show(places, portion: .max)
        #expect(stage.screen.graphics.files.isEmpty)
    }

    @Test("an unanswered query is repeated once, and again only after a key")
    func silence() {
        let picture = Self.picture(1, .tmux)
        let area = CellRect(x: 0, y: 0, columns: 12, rows: 5)
        let placed = PlacedPicture(picture: picture, frame: area, visible: area)
        var transfer = TmuxTransfer()
        let question = transfer.begin(placed, [[1], [2]], at: 0)
        #expect(question == TerminalSequence.throughTmux(TerminalQuery.status))
        #expect(transfer.deadline == 1)
        #expect(transfer.end() == TerminalSequence.throughTmux(KittyPictures.endOfPicture))
        #expect(transfer.mayBegin && transfer.deadline == nil && transfer.lastCall == 1)
        _ = transfer.begin(placed, [[1], [2]], at: 1)
        #expect(!transfer.mayBegin && transfer.deadline == nil && transfer.lastCall == 2)
        transfer.notePaneIsActive()
        #expect(transfer.deadline == 2)
        var answer = transfer.noteReply(at: 1.5, portion: 1)
        #expect(answer.bytes == [1] + question && answer.done == nil)
        answer = transfer.noteReply(at: 1.6, portion: 1)
        #expect(answer.bytes == [2] + question && answer.done == nil)
        answer = transfer.noteReply(at: 1.7, portion: 1)
        #expect(answer.bytes == [] && answer.done?.id == placed.id)
        #expect(transfer.lastCall == nil && transfer.picture == nil)
    }

    @Test("ids are unique for 16,000 pictures, and then reused")
    func ids() {
        let cells = CellRect(x: 0, y: 0, columns: 10, rows: 5)
        let file = CodedPicture(
            .png([1]), size: PixelSize(width: 1, height: 1), cells: cells.size)
        let ids = Set((0..<64 * 255).map { PlacedPicture.id(ofSerial: file.serial + $0) })
        #expect(ids.count == 64 * 255)
        #expect(ids.allSatisfy { $0 >> 24 > 0 && $0 & 0xFF > 0 && $0 & 0xFFFF00 == 0 })
        #expect(
            PlacedPicture.id(ofSerial: file.serial)
                == PlacedPicture.id(ofSerial: file.serial + 64 * 255))
    }

    @Test(
        "a picture is shown though another has to be freed for it, and the freed one is sent again")
    func turns() throws {
        var stage = Stage(.kitty)
        let placements = try #require(stage.layer.current as? KittyPlacements)
        // One picture, and a part of a second.
        placements.pictures.maxBytes = 30_000
        let pictures = (0..<3).map { Self.picture($0, .kitty) }
        for number in [0, 1, 2, 0, 2, 1, 1, 0] {
            stage.show([(pictures[number], x: 2, y: 2)])
            let seen = stage.screen.pixels(
                of: CellRect(x: 2, y: 2, columns: Self.cells.columns, rows: Self.cells.rows))
            #expect(seen == Self.pixels(number))
        }
        #expect(stage.screen.graphics.faults == [])
        #expect(stage.screen.graphics.files.count == 1)
    }

    @Test("kitty pictures unseen longest are freed, but none of the current frame")
    func room() {
        let cells = CellRect(x: 0, y: 0, columns: 10, rows: 5)
        // Eight megabytes each in the terminal, in which we use at most 64 × 2²⁰ bytes.
        let all = (0..<12).map { _ in
            let size = PixelSize(width: 2000, height: 1000)
            let picture = CodedPicture(.png([1]), size: size, cells: cells.size)
            return PlacedPicture(picture: picture, frame: cells, visible: cells)
        }
        func fill(_ frame: (Int) -> Int) -> KittyPictures {
            var kitty = KittyPictures()
            for (number, placed) in all.enumerated() {
                kitty.keep(placed, in: frame(number))
            }
            return kitty
        }
        var kitty = fill { $0 }
        let freed = all.prefix(4).map { "\u{1B}_Ga=d,d=I,i=\($0.id),q=2\u{1B}\\" }.joined()
        let bytes = kitty.makeRoom(in: 12)
        #expect(bytes == Array(freed.utf8))
        let held = all.map { kitty.holds($0, in: 13) }
        #expect(held == (0..<12).map { $0 >= 4 })
        kitty = fill { _ in 5 }
        let none = kitty.makeRoom(in: 5)
        #expect(none == [])
    }

    @Test("sixels are sent in pieces that xterm accepts and that cover the same area")
    func pieces() {
        let whole = CellRect(x: 3, y: 2, columns: 25, rows: 11)
        let pieces = whole.pieces(atMost: CellSize(columns: 10, rows: 5))
        #expect(pieces.count == 9)
        #expect(pieces.allSatisfy { $0.size.columns <= 10 && $0.size.rows <= 5 })
        for y in 0..<20 {
            for x in 0..<40 {
                let count = pieces.count { $0.contains(x: x, y: y) }
                #expect(count == (whole.contains(x: x, y: y) ? 1 : 0))
            }
        }
    }

    @Test("kitty's row and column diacritics match its table")
    func marks() {
        #expect(ScreenEmulator.diacritics.count == 297)
        for (number, scalar) in ScreenEmulator.diacritics.enumerated() {
            let bytes = ByteCursor.bytes(atMost: 20) {
                Placeholders.write(Cell(pixelsOf: 2 << 24 | 7, column: number, row: 0), to: &$0)
            }
            #expect(bytes == Array("\u{10EEEE}\u{305}\(scalar)\u{30E}".utf8))
        }
        #expect(!Placeholders.canShow(CellSize(columns: 298, rows: 1)))
    }
}
