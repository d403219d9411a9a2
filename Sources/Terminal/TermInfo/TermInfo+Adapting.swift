import Raster

extension TermInfo {
    /// How many pairs the private entries have: two for every cell of 524,287 (`CursesScreen.largestSize`), in 20 bits.
    static let privatePairs = 0x10_0000

    /// A copy for a screen of `size`, that draws every colour there is with as many pairs as cells need, mouse
    /// reports left to us, and nothing that redefines the user's palette.
    ///
    /// Which colours the terminal shows may become known later: whoever draws chooses among those. With `sparingPictures` ncurses
    /// has no means to touch more than the cells it writes.
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
        // With XM ncurses would switch the mouse on in its own way.
        entry.removeExtended("XM")
        if isColored { entry.setColors() }
        return entry
    }

    /// What we scroll ourselves ncurses must not scroll, too.
    ///
    /// It compares rows by hashes that it does not move along when it is told of our scrolls, and would move rows once
    /// more that are already in place.
    private mutating func removeScrolling() {
        remove([
            .changeScrollRegion, .scrollForward, .scrollReverse, .scrollForwardBy, .scrollReverseBy,
            .insertLine, .insertLines, .deleteLine, .deleteLines,
        ])
    }

    /// Where we write pictures beside ncurses, it must write nothing but the cells that change: it takes what we wrote
    /// for placeholders, which it would move and erase with the text around them.
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
        removeExtended("RGB")
        // Room for the 256 palette colours after all 24-bit ones. Without RGB, start_color would make a table of
        // all of them; as the number 8, it gives each channel 8 bits.
        self[.colors] = 0x100_0100
        extendedNumbers.append(Named(name: Array("RGB".utf8), value: 8))
        self[.setAnsiForeground] = Self.color(38, dark: "3", bright: "9")
        self[.setAnsiBackground] = Self.color(48, dark: "4", bright: "10")
        if self[.originalPair] == nil { self[.originalPair] = "\u{1B}[39;49m" }
    }

    /// `38;2;R;G;B` for values below 2²⁴ (ITU T.416 with the separators all terminals take), then the palette: the codes of
    /// ECMA-48 and aixterm for the first 16, else `38;5;N`.
    private static func color(_ code: Int, dark: String, bright: String) -> String {
        "\u{1B}[%?%p1%{16777216}%<%t\(code);2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
            + "%e%p1%{16777224}%<%t\(dark)%p1%{16777216}%-%d"
            + "%e%p1%{16777232}%<%t\(bright)%p1%{16777224}%-%d%e\(code);5;%p1%{16777216}%-%d%;m"
    }

    private mutating func removeExtended(_ name: String) {
        let name = Array(name.utf8)
        extendedBooleans.removeAll { $0.name == name }
        extendedNumbers.removeAll { $0.name == name }
        extendedStrings.removeAll { $0.name == name }
    }
}
