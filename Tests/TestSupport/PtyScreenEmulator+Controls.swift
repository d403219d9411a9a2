import Raster

extension ScreenEmulator {
    func perform(_ sequence: ControlSequence) {
        answer(sequence)
        switch (sequence.marker, sequence.final, sequence.intermediates) {
        case ("?", "h", ""): setModes(sequence, isOn: true)
        case ("?", "l", ""): setModes(sequence, isOn: false)
        case (nil, "h", ""): isInserting = sequence.number(0) == 4 || isInserting
        case (nil, "l", ""): isInserting = sequence.number(0) == 4 ? false : isInserting
        case (nil, "m", ""): setStyle(sequence.parameters)
        case (nil, "p", "!"): softReset()
        case ("?", "p", "$"): break
        case (nil, "t", "") where sequence.number(0) == 22: keptTitles.append(title)
        case (nil, "t", "") where sequence.number(0) == 23: title = keptTitles.popLast() ?? title
        // Queries and cursor shapes.
        case (nil, "t", ""), (_, "c", ""), (_, "n", _), (nil, "q", " "), (">", _, _),
            ("?", "S", _):
            break
        case (nil, let final, ""):
            if !move(sequence, final), !edit(sequence, final) {
                unrecognised.append(sequence.text)
            }
        default: unrecognised.append(sequence.text)
        }
    }

    private func move(_ sequence: ControlSequence, _ final: Character) -> Bool {
        let count = sequence.number(0)
        switch final {
        case "A": moveTo(x: cursorX, y: cursorY - count)
        case "B", "e": moveTo(x: cursorX, y: cursorY + count)
        case "C", "a": moveTo(x: cursorX + count, y: cursorY)
        case "D": moveTo(x: cursorX - count, y: cursorY)
        case "E": moveTo(x: 0, y: cursorY + count)
        case "F": moveTo(x: 0, y: cursorY - count)
        case "G", "`": moveTo(x: count - 1, y: cursorY)
        case "d": moveTo(x: cursorX, y: count - 1)
        case "H", "f": moveTo(x: sequence.number(1) - 1, y: count - 1)
        case "I": moveTo(x: (cursorX / 8 + count) * 8, y: cursorY)
        case "Z": moveTo(x: max(0, (cursorX - 1) / 8 - count + 1) * 8, y: cursorY)
        case "s": saveCursor()
        case "u": restoreCursor()
        default: return false
        }
        return true
    }

    private func edit(_ sequence: ControlSequence, _ final: Character) -> Bool {
        let count = sequence.number(0)
        switch final {
        case "J": eraseInScreen(sequence.number(0, or: 0))
        case "K": eraseInRow(sequence.number(0, or: 0))
        case "X": erase(row: cursorY, cursorX..<min(size.columns, cursorX + count))
        case "@": insertBlanks(count)
        case "P": deleteCells(count)
        case "L": insertRows(count)
        case "M": deleteRows(count)
        case "S": scroll(region, by: count)
        case "T": scroll(region, by: -count)
        case "b": (0..<count).forEach { _ in put(lastGlyph) }
        case "r": setRegion(sequence)
        default: return false
        }
        return true
    }

    private func setRegion(_ sequence: ControlSequence) {
        let top = sequence.number(0) - 1
        let bottom = min(sequence.number(1, or: size.rows), size.rows)
        guard top < bottom - 1 else { return }
        region = top..<bottom
        moveTo(x: 0, y: 0)
    }

    private func setModes(_ sequence: ControlSequence, isOn: Bool) {
        for mode in sequence.parameters.compactMap(\.first) {
            if isOn {
                modes.insert(mode)
            } else {
                modes.remove(mode)
            }
            if mode == 1049 || mode == 1047 || mode == 47 {
                switchScreen(toAlternate: isOn, savingCursor: mode == 1049)
            }
        }
    }

    private func switchScreen(toAlternate: Bool, savingCursor: Bool) {
        if toAlternate, mainScreen == nil {
            if savingCursor { saveCursor() }
            mainScreen = grid
            grid = CellGrid(size: size)
        } else if !toAlternate, let before = mainScreen {
            leftScreen = grid
            grid = before
            mainScreen = nil
            if savingCursor { restoreCursor() }
        }
    }

    private func softReset() {
        pen = .blank
        isInserting = false
        region = 0..<size.rows
        modes.insert(25)
    }

    func reset() {
        softReset()
        grid = CellGrid(size: size)
        mainScreen = nil
        modes = [7, 25]
        moveTo(x: 0, y: 0)
    }

    func saveCursor() {
        saved = SavedCursor(x: cursorX, y: cursorY, pen: pen)
    }

    func restoreCursor() {
        moveTo(x: saved.x, y: saved.y)
        pen = saved.pen
    }

    func moveTo(x: Int, y: Int) {
        cursorX = max(0, min(size.columns - 1, x))
        cursorY = max(0, min(size.rows - 1, y))
        isWrapPending = false
    }
}
