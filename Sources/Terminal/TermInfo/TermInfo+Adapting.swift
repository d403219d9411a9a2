import Raster

extension TermInfo {
    /// How many pairs the private entries have: two for every cell of 524,287 (`CursesScreen.largestSize`), in 20 bits.
    static let privatePairs = 0x10_0000

    /// A copy called `name`, for a screen of `size`, that draws `depth` with as many pairs as cells need, mouse reports left to us, and
    /// nothing that redefines the user's palette.
    ///
    /// With `sparingPictures` ncurses has no means to touch more than the cells it writes.
    func adapted(
        to depth: ColorDepth, size: CellSize, name: String, sparingPictures: Bool = false
    ) -> TermInfo {
        var entry = self
        // Files may be found under names that the entry does not list, and ncurses compares.
        if !String(decoding: names, as: UTF8.self).split(separator: "|").contains(Substring(name)) {
            entry.names = Array((name + "|").utf8) + names
        }
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
        if depth != .mono { entry.setColors(depth) }
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

    private mutating func setColors(_ depth: ColorDepth) {
        self[.pairs] = Self.privatePairs
        removeExtended("RGB")
        switch depth {
        case .truecolor:
            // Room for the 256 palette colours after all 24-bit ones. Without RGB, start_color would make a table of
            // all of them; as the number 8, it gives each channel 8 bits.
            self[.colors] = 0x100_0100
            extendedNumbers.append(Named(name: Array("RGB".utf8), value: 8))
            self[.setAnsiForeground] = Self.directColor(38)
            self[.setAnsiBackground] = Self.directColor(48)
        case .palette256, .palette16:
            setPalette(
                depth == .palette256 ? 256 : 16, foreground: Self.indexedColor("3", "9", 38),
                background: Self.indexedColor("4", "10", 48))
        case .palette8, .mono:
            setPalette(8, foreground: "\u{1B}[3%p1%dm", background: "\u{1B}[4%p1%dm")
        }
        if self[.originalPair] == nil { self[.originalPair] = "\u{1B}[39;49m" }
    }

    /// Keeps the terminal's own strings where they reach far enough; they may know its quirks.
    private mutating func setPalette(_ count: Int, foreground: String, background: String) {
        if self[.colors] ?? 0 < count || self[.setAnsiForeground] == nil {
            self[.setAnsiForeground] = foreground
            self[.setAnsiBackground] = background
        }
        self[.colors] = count
    }

    /// `38;2;R;G;B` for values below 2²⁴, else `38;5;N` (ITU T.416 with the separators all terminals take).
    private static func directColor(_ code: Int) -> String {
        "\u{1B}[%?%p1%{16777216}%<%t\(code);2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
            + "%e\(code);5;%p1%{16777216}%-%d%;m"
    }

    /// The aixterm codes for the first 16, then `38;5;N`.
    private static func indexedColor(_ dark: String, _ bright: String, _ code: Int) -> String {
        "\u{1B}[%?%p1%{8}%<%t\(dark)%p1%d%e%p1%{16}%<%t\(bright)%p1%{8}%-%d%e\(code);5;%p1%d%;m"
    }

    private mutating func removeExtended(_ name: String) {
        let name = Array(name.utf8)
        extendedBooleans.removeAll { $0.name == name }
        extendedNumbers.removeAll { $0.name == name }
        extendedStrings.removeAll { $0.name == name }
    }
}
