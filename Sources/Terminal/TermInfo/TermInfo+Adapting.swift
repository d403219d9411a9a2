import Raster

extension TermInfo {
    /// The number of colour pairs in private entries: two per cell for up to 524,287 cells (see `CursesScreen.maxSize`), in 20 bits.
    static let privatePairs = 0x10_0000

    /// Returns a copy for a screen of `size`: all colours, enough pairs for every cell, no mouse handling by ncurses, and nothing
    /// that redefines the user's palette.
    ///
    /// The colours that the terminal shows may become known later; drawing code chooses among those. With `sparingPictures`, ncurses
    /// has no way to touch cells other than those it writes.
    func adapted(
        size: CellSize, isColored: Bool = true, sparingPictures: Bool = false
    ) -> TermInfo {
        var entry = self
        entry[.columns] = size.columns
        entry[.lines] = size.rows
        entry.remove([
            .initializeColor, .originalColors, .initializePair, .setColorPair, .setForeground,
            .setBackground, .keyMouse,
        ])
        if scrollsLikeAnsi { entry.removeScrolling() }
        if sparingPictures { entry.removeEditing() }
        entry.remove(.canChange)
        // With XM, ncurses would enable the mouse in its own way; and it has no names for keys with Control or Alt (kRIT5 and the
        // like): unless it knows their sequences, it passes these on.
        entry.extendedStrings = []
        if isColored { entry.setColors() }
        return entry
    }

    /// Keeps ncurses from scrolling, which is done without it.
    ///
    /// It compares rows by hashes that are not updated when it is told of our scrolling, and would move rows again that are
    /// already in place.
    private mutating func removeScrolling() {
        remove([
            .changeScrollRegion, .scrollForward, .scrollReverse, .scrollForwardBy, .scrollReverseBy,
            .insertLine, .insertLines, .deleteLine, .deleteLines,
        ])
    }

    /// Restricts ncurses to writing changed cells where pictures are written without it: it takes them for placeholders, which
    /// it would move and erase together with the text around them.
    private mutating func removeEditing() {
        remove([
            .eraseToEndOfLine, .eraseToStartOfLine, .eraseToEndOfScreen, .eraseCharacters,
            .insertCharacter, .insertCharacters, .deleteCharacter, .deleteCharacters,
            .enterInsertMode, .exitInsertMode, .repeatCharacter,
        ])
        // It would insert to reach the last cell of the screen; with `xenl` that cell is like any other.
        remove(.autoRightMargin)
    }

    private mutating func remove(_ strings: [StringCapability]) {
        for string in strings { self[string] = nil }
    }

    private mutating func remove(_ boolean: BooleanCapability) {
        if self[boolean] { booleans[boolean.rawValue] = 0 }
    }

    private mutating func setColors() {
        self[.pairs] = Self.privatePairs
        let rgb = "RGB".bytes
        extendedBooleans.removeAll { $0.name == rgb }
        // Room for the 256 palette colours after all 24-bit ones. Without RGB, start_color would build a table of
        // all of them; RGB as the number 8 means 8 bits per channel.
        self[.colors] = 0x100_0100
        extendedNumbers = [Named(name: rgb, value: 8)]
        self[.setAnsiForeground] = Self.color(38, dark: "3", bright: "9")
        self[.setAnsiBackground] = Self.color(48, dark: "4", bright: "10")
        if self[.originalPair] == nil { self[.originalPair] = "\u{1B}[39;49m" }
    }

    /// Returns `38;2;R;G;B` for values below 2²⁴ (ITU T.416 with the separators that all terminals accept), then the palette: the
    /// ECMA-48 and aixterm codes for the first 16 colours, else `38;5;N`.
    private static func color(_ code: Int, dark: String, bright: String) -> String {
        "\u{1B}[%?%p1%{16777216}%<%t\(code);2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
            + "%e%p1%{16777224}%<%t\(dark)%p1%{16777216}%-%d"
            + "%e%p1%{16777232}%<%t\(bright)%p1%{16777224}%-%d%e\(code);5;%p1%{16777216}%-%d%;m"
    }
}
