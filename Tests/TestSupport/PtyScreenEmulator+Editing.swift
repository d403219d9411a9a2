import Raster

extension ScreenEmulator {
    /// An erased cell, with the pen's background (`bce`).
    private var erased: Cell {
        Cell(glyph: 0x20, background: pen.background)
    }

    func put(_ glyph: UInt32) {
        let width = CharacterWidth.of(glyph)
        guard width > 0 else { return mark(with: glyph) }
        if isWrapPending || cursorX + width > size.columns {
            if modes.contains(7) {
                cursorX = 0
                lineFeed()
            } else {
                cursorX = size.columns - width
            }
        }
        isWrapPending = false
        if isInserting {
            insertBlanks(width)
        }
        write(glyph, width: width)
        lastGlyph = glyph
        cursorX += width
        if cursorX >= size.columns {
            cursorX = size.columns - 1
            isWrapPending = true
        }
    }

    /// Adds a combining mark to the character before the cursor.
    private func mark(with glyph: UInt32) {
        var x = isWrapPending ? cursorX : cursorX - 1
        if x > 0, grid[x, cursorY].glyph == 0 { x -= 1 }
        guard x >= 0, let mark = Unicode.Scalar(glyph) else { return }
        let before = grid[x, cursorY].glyph
        let scalars = (marked[before] ?? Unicode.Scalar(before).map { [$0] } ?? []) + [mark]
        let number = 0x110000 + UInt32(marked.count)
        let known = marked.first { $0.value == scalars }?.key
        marked[known ?? number] = scalars
        grid[x, cursorY].glyph = known ?? number
    }

    private func write(_ glyph: UInt32, width: Int) {
        clearHalf(at: cursorX)
        clearHalf(at: cursorX + width)
        var cell = pen
        cell.glyph = glyph
        grid[cursorX, cursorY] = cell
        graphics.painted[cursorY * size.columns + cursorX] = nil
        if width == 2 {
            cell.glyph = 0
            grid[cursorX + 1, cursorY] = cell
        }
    }

    /// Clears both halves of a wide character whose right half at `x` is overwritten or cut off.
    private func clearHalf(at x: Int) {
        guard x > 0, x < size.columns, grid[x, cursorY].glyph == 0 else { return }
        grid[x, cursorY].glyph = 0x20
        grid[x - 1, cursorY].glyph = 0x20
    }

    func lineFeed() {
        isWrapPending = false
        if cursorY == region.upperBound - 1 {
            scroll(region, by: 1)
        } else {
            cursorY = min(size.rows - 1, cursorY + 1)
        }
    }

    func reverseLineFeed() {
        isWrapPending = false
        if cursorY == region.lowerBound {
            scroll(region, by: -1)
        } else {
            cursorY = max(0, cursorY - 1)
        }
    }

    /// Moves `rows` up by `distance`, down if negative.
    func scroll(_ rows: Range<Int>, by distance: Int) {
        let before = grid
        for y in rows {
            let source = y + distance
            for x in 0..<size.columns {
                grid[x, y] = rows.contains(source) ? before[x, source] : erased
            }
        }
        graphics.scroll(rows, by: distance, columns: size.columns)
    }

    func insertRows(_ count: Int) {
        guard region.contains(cursorY) else { return }
        scroll(cursorY..<region.upperBound, by: -count)
        cursorX = 0
    }

    func deleteRows(_ count: Int) {
        guard region.contains(cursorY) else { return }
        scroll(cursorY..<region.upperBound, by: count)
        cursorX = 0
    }

    func insertBlanks(_ count: Int) {
        for x in (cursorX..<size.columns).reversed() {
            grid[x, cursorY] = x - count >= cursorX ? grid[x - count, cursorY] : erased
        }
    }

    func deleteCells(_ count: Int) {
        for x in cursorX..<size.columns {
            grid[x, cursorY] = x + count < size.columns ? grid[x + count, cursorY] : erased
        }
    }

    func erase(row y: Int, _ columns: Range<Int>) {
        for x in columns {
            grid[x, y] = erased
        }
        isWrapPending = false
    }

    func eraseInRow(_ part: Int) {
        switch part {
        case 0: erase(row: cursorY, cursorX..<size.columns)
        case 1: erase(row: cursorY, 0..<min(cursorX + 1, size.columns))
        default: erase(row: cursorY, 0..<size.columns)
        }
    }

    func eraseInScreen(_ part: Int) {
        // 3 erases the scrollback, which is not kept here.
        guard part < 3 else { return }
        if part == 2 || (part == 0 && cursorX == 0 && cursorY == 0) {
            clearCount += 1
            graphics.clear()
        }
        let rows =
            part == 0 ? cursorY + 1..<size.rows : part == 1 ? 0..<cursorY : 0..<size.rows
        for y in rows {
            erase(row: y, 0..<size.columns)
        }
        if part < 2 {
            eraseInRow(part)
        }
    }
}

/// The number of cells of a character, based on Unicode's East Asian Width, to be independent of the C library.
enum CharacterWidth {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x2E80...0x303E,
        0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
    private static let combining: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x900...0x902, 0x93C...0x93C, 0x941...0x948, 0x94D...0x94D, 0xE31...0xE31,
        0xE34...0xE3A, 0xE47...0xE4E, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F,
    ]

    static func of(_ glyph: UInt32) -> Int {
        if glyph < 0x300 { return 1 }
        if combining.contains(where: { $0.contains(glyph) }) { return 0 }
        return wide.contains { $0.contains(glyph) } ? 2 : 1
    }
}
