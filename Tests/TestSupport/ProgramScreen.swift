public import Glibc
public import Raster

/// The `halftone` executable in a pseudo-terminal, and what a test wants to know of its screen.
public final class ProgramScreen {
    /// The program.
    public let process: PtyProcess
    /// The terminal's attributes before it was started.
    public let attributesBefore: termios

    /// Starts it, at home in `folder`; `environment` changes single variables, an empty text removes one.
    public init(
        _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:],
        size: CellSize = CellSize(columns: 80, rows: 24), input: String? = nil,
        answers: TerminalAnswers? = nil, holdsAnswers: Bool = false
    ) throws {
        let variables = folder.environment.merging(environment) { $1 }.filter { !$0.value.isEmpty }
        process = try PtyProcess(
            ProgramRun.executable, arguments: arguments, environment: variables, size: size,
            input: input, answers: answers, holdsAnswers: holdsAnswers)
        attributesBefore = process.attributesBefore
    }

    /// The screen.
    public var screen: ScreenEmulator { process.screen }
    /// The cells on it.
    public var grid: CellGrid { screen.grid }
    /// What of them can be seen: a space has no foreground.
    public var view: CellGrid {
        var view = grid
        for index in view.cells.indices where view.cells[index].glyph == 0x20 {
            if view.cells[index].style.isDisjoint(with: [.underline, .reverse]) {
                view.cells[index].foreground = .standard
                view.cells[index].style = []
            }
        }
        return view
    }

    /// The first few cells that look otherwise than in `other`, for messages; none if the views are the same.
    public func differences(from other: CellGrid) -> [String] {
        let view = view
        guard view.size == other.size else { return ["\(view.size) instead of \(other.size)"] }
        let indices = view.cells.indices.filter { view.cells[$0] != other.cells[$0] }
        return indices.prefix(4).map { index in
            let place = index.quotientAndRemainder(dividingBy: view.size.columns)
            return "row \(place.quotient), column \(place.remainder) (\(indices.count) in all): "
                + "\(view.cells[index]) instead of \(other.cells[index])"
        }
    }
    /// The line at the top.
    public var top: String { screen.text(row: 0) }
    /// The line at the bottom.
    public var bottom: String { screen.text(row: screen.size.rows - 1) }

    /// Types `keys` as people do: each that saves, quits or opens something by itself, once all before it is read.
    public func type(_ keys: String) {
        var rest = keys[...]
        while !rest.isEmpty {
            // The letters of a sequence are no keys.
            let sequence = rest.prefixMatch(of: /\u{1B}(\[[0-9;<]*[A-Za-z~]|O.)/)?.0
            let key = String(sequence ?? rest.prefix(1))
            if Self.risky.contains(key) { process.sendAlone(key) } else { process.send(key) }
            rest = rest.dropFirst(key.count)
        }
    }

    private static let risky: Set<String> = ["s", "q", "Q", "o", "P", "!", "\r"]

    /// Reads until `condition` holds; false after 20 seconds.
    public func wait(_ condition: (ProgramScreen) -> Bool) -> Bool {
        process.wait { _ in condition(self) }
    }

    /// Reads until `text` is on the screen.
    public func waitFor(_ text: String) -> Bool {
        process.wait { $0.shows(text) }
    }

    /// Reads until the picture called `number` is selected.
    public func waitForSelected(_ number: Int) -> Bool {
        wait { $0.selectedTitle == ProgramGallery.title(number) }
    }

    /// Reads until the thumbnails of all these pictures are on the screen, in their own colours.
    public func waitForThumbnails(_ numbers: some Sequence<Int>) -> Bool {
        wait { screen in numbers.allSatisfy(screen.showsThumbnail) }
    }

    /// Types `q` and waits for the end.
    public func quit() -> PtyProcess.Exit? {
        type("q")
        return process.waitForExit()
    }

    // MARK: - What is selected

    /// What the bottom line says: the selected picture's number, from 1.
    public var selectedNumber: Int? {
        Int(bottom.drop { $0 == " " }.prefix { $0.isNumber })
    }

    /// What the bottom line says: `12/24+`.
    public var position: String {
        String(bottom.drop { $0 == " " }.prefix { $0 != " " })
    }

    /// The title that is set as the selected one's, in grid or list.
    public var selectedTitle: String? {
        let accent = CellColor(RGB(0xFFB454))
        for y in 1..<max(1, screen.size.rows - 1) {
            let lit = (0..<screen.size.columns).filter { grid[$0, y].background == accent }
            guard !lit.isEmpty else { continue }
            // A mark stands before the title.
            let letters = lit.compactMap { Unicode.Scalar(grid[$0, y].glyph) }.drop {
                $0 == " " || $0 == "✓"
            }
            return letters.split(separator: " ").map { word in
                String(String.UnicodeScalarView(word))
            }.joined(separator: " ")
        }
        return nil
    }

    // MARK: - Thumbnails

    /// Where `text` begins, first from the top.
    public func place(of text: String) -> (x: Int, y: Int)? {
        let wanted = text.unicodeScalars.map(\.value)
        for y in 1..<max(1, screen.size.rows - 1) {
            let glyphs = (0..<screen.size.columns).map { grid[$0, y].glyph }
            for x in 0...max(0, glyphs.count - wanted.count)
            where glyphs[x...].starts(with: wanted) {
                return (x, y)
            }
        }
        return nil
    }

    /// The rectangle of a picture's thumbnail in the grid: all of it must be on the screen.
    public func tile(of number: Int, columns: Int = 24, rows: Int = 9) -> CellRect? {
        guard let (x, y) = place(of: ProgramGallery.title(number)), y > rows else { return nil }
        return CellRect(x: x, y: y - rows, columns: columns, rows: rows)
    }

    /// Whether the grid's tile of that number is filled with that picture's colour.
    public func showsThumbnail(_ number: Int) -> Bool {
        guard let tile = tile(of: number) else { return false }
        return colors(in: tile) == [CellColor(ProgramGallery.color(number))]
    }

    /// Every colour that is seen in `rect`.
    public func colors(in rect: CellRect) -> Set<CellColor> {
        var colors: Set<CellColor> = []
        for y in rect.y..<rect.y + rect.size.rows {
            for x in rect.x..<rect.x + rect.size.columns {
                colors.formUnion(grid[x, y].visibleColors)
            }
        }
        return colors
    }
}

extension Cell {
    /// The colours of the halves of a cell, the upper one first; of any other glyph both colours.
    public var visibleColors: [CellColor] {
        switch glyph {
        case 0x20: [background, background]
        case 0x2588: [foreground, foreground]
        case 0x2584: [background, foreground]
        default: [foreground, background]
        }
    }
}

extension termios {
    /// Whether the terminal behaves alike: the flags and characters, without what the kernel only pads.
    public func isSame(as other: termios) -> Bool {
        c_iflag == other.c_iflag && c_oflag == other.c_oflag && c_cflag == other.c_cflag
            && c_lflag == other.c_lflag
            && withUnsafeBytes(of: c_cc) { own in
                withUnsafeBytes(of: other.c_cc) { own.elementsEqual($0) }
            }
    }
}
