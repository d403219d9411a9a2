import Basics
public import Glibc
public import Raster

/// The `halftone` executable in a pseudo-terminal, with queries about its screen.
public final class ProgramScreen {
    /// The program.
    public let process: PtyProcess
    /// The terminal's attributes before the program was started.
    public let attributesBefore: termios
    /// The key typed last, to be typed once more if it was refused; nil if another had been before.
    private var lastKey: String?

    /// Starts the program with `folder` as its home; `environment` overrides variables, and an empty value removes one.
    ///
    /// It starts in `workingFolder`, or in that of the tests, without the first runs' line of keys. The terminal replies to queries as real
    /// ones do, unless `answers` is nil. `command` starts the program in another way.
    public init(
        _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:],
        size: CellSize = CellSize(columns: 80, rows: 24), input: String? = nil,
        answers: TerminalAnswers? = TerminalAnswers(), holdsAnswers: Bool = false,
        at workingFolder: String? = nil, isUnderShell: Bool = false,
        command: [String] = [ProgramRun.executable]
    ) throws {
        let variables = folder.environment.merging(environment) { $1 }.filter { !$0.value.isEmpty }
        let shell = workingFolder.map {
            ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + command
        }
        let words = shell ?? command
        process = try PtyProcess(
            words[0], arguments: words.dropFirst() + ["--no-hints"] + arguments,
            environment: variables,
            size: size, input: input, answers: answers, holdsAnswers: holdsAnswers,
            isUnderShell: isUnderShell)
        attributesBefore = process.attributesBefore
    }

    /// The screen.
    public var screen: ScreenEmulator { process.screen }
    /// The cells on the screen.
    public var grid: CellGrid { screen.grid }
    /// The visible state of the cells: a space has no foreground.
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

    /// Describes the first few cells that look different in `other`, for messages; empty if the views are the same.
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
    /// The top line.
    public var top: String { screen.text(row: 0) }
    /// The bottom line.
    public var bottom: String { screen.text(row: screen.size.rows - 1) }

    /// Types `keys` like a person: a key that saves, quits or opens something is sent alone, once all before it are read.
    public func type(_ keys: String) {
        let isRefused = isRefused
        var rest = keys[...]
        while !rest.isEmpty {
            // The letters of an escape sequence are not keys.
            let sequence = rest.prefixMatch(of: /\u{1B}(\[[0-9;<]*[A-Za-z~]|O.)/)?.0
            let key = String(sequence ?? rest.prefix(1))
            lastKey = isRefused ? nil : key
            if Self.risky.contains(key) { process.sendAlone(key) } else { process.send(key) }
            rest = rest.dropFirst(key.count)
        }
    }

    private static let risky: Set<String> = [
        "s", "q", "Q", "o", "P", "!", "'", "U", "\r", "\u{1B}", "\u{1B}[3~",
    ]

    /// Reads until `condition` holds; returns false after 20 seconds.
    public func wait(_ condition: (ProgramScreen) -> Bool) -> Bool {
        process.wait { _ in
            if condition(self) { return true }
            retypeRefusedKey()
            return false
        }
    }

    /// Reads until the program has ended; returns nil after `seconds`.
    public func waitForExit(seconds: Double = 120) -> PtyProcess.Exit? {
        let deadline = SteadyClock.now + seconds
        while true {
            if let exit = process.waitForExit(seconds: 0.1) { return exit }
            guard SteadyClock.now < deadline else { return nil }
            retypeRefusedKey()
        }
    }

    /// A busy machine may deliver keys together, however slowly they were typed.
    private func retypeRefusedKey() {
        guard let key = lastKey, isRefused else { return }
        lastKey = nil
        process.send(key)
    }

    /// Whether the last key was refused; behind an open line the message may be cut off.
    private var isRefused: Bool { bottom.contains("too fast to") }

    /// Reads until `text` is on the screen.
    public func waitFor(_ text: String) -> Bool {
        wait { $0.screen.shows(text) }
    }

    /// Reads until picture `number` is selected.
    public func waitForSelected(_ number: Int) -> Bool {
        wait { $0.selectedTitle == ProgramGallery.title(number) }
    }

    /// Reads until the thumbnails of these pictures are on the screen, in their colours.
    public func waitForThumbnails(_ numbers: some Sequence<Int>) -> Bool {
        wait { screen in numbers.allSatisfy(screen.showsThumbnail) }
    }

    /// Types `q` and waits for the program to exit.
    public func quit() -> PtyProcess.Exit? {
        type("q")
        return waitForExit()
    }

    // MARK: - Selection

    /// The selected picture's number in the bottom line, from 1.
    public var selectedNumber: Int? {
        Int(bottom.drop { $0 == " " }.prefix { $0.isNumber })
    }

    /// The position in the bottom line, such as `12/24+`.
    public var position: String {
        String(bottom.drop { $0 == " " }.prefix { $0 != " " })
    }

    /// The title highlighted as selected, in grid or list.
    public var selectedTitle: String? {
        let accent = CellColor(RGB(0xFFB454))
        for y in 1..<max(1, screen.size.rows - 1) {
            let lit = (0..<screen.size.columns).filter { grid[$0, y].background == accent }
            guard !lit.isEmpty else { continue }
            // The title may be preceded by a mark.
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

    /// Returns the position of the first occurrence of `text` from the top.
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

    /// Returns the middle of a picture's tile in the grid, as wide as the picture is with so many rows; it must be on the screen completely.
    public func tile(of number: Int, columns: Int = 20, rows: Int = 8) -> CellRect? {
        guard let (x, y) = place(of: ProgramGallery.title(number)), y > rows else { return nil }
        return CellRect(x: x + (24 - columns) / 2, y: y - rows, columns: columns, rows: rows)
    }

    /// Returns whether the grid's tile of that picture is filled with its colour.
    public func showsThumbnail(_ number: Int) -> Bool {
        guard let tile = tile(of: number) else { return false }
        return colors(in: tile) == [CellColor(ProgramGallery.color(number))]
    }

    /// Returns every visible colour in `rect`.
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
    /// The colours of the upper and lower half of a cell; for other glyphs both colours.
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
    /// Returns whether the terminal behaves the same: compares flags and characters, not the kernel's padding.
    public func isSame(as other: termios) -> Bool {
        c_iflag == other.c_iflag && c_oflag == other.c_oflag && c_cflag == other.c_cflag
            && c_lflag == other.c_lflag
            && withUnsafeBytes(of: c_cc) { own in
                withUnsafeBytes(of: other.c_cc) { own.elementsEqual($0) }
            }
    }
}
