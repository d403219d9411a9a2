import Browser
import Gallery
import Network
import Raster
import TestSupport
import Testing

/// Moving around the grid and list.
///
/// There are three tiles per row at 80 columns.
@MainActor @Suite("Navigation") struct NavigationTests {
    private func loaded(_ sections: [[Int]] = [[24]], rows: Int = 40) -> Rig {
        let rig = Rig(sections, rows: rows)
        rig.loadPages()
        return rig
    }

    @Test("h j k l and the arrows move in reading order and by rows")
    func basics() {
        let rig = loaded()
        rig.type("l")
        #expect(rig.selected == "0.0.1")
        rig.type("j")
        #expect(rig.selected == "0.0.4")
        rig.type("h")
        #expect(rig.selected == "0.0.3")
        rig.press(.up, .right, .right, .down, .left)
        #expect(rig.selected == "0.0.4")
        rig.type("hhhhhhhhhhh")
        #expect(rig.selected == "0.0.0")
        rig.type("k")
        #expect(rig.selected == "0.0.0")
    }

    @Test("0 and $ go to the row's ends, H and L to the screen's; zz centres the row")
    func rowsAndScreen() {
        let rig = loaded([[23]])
        rig.type("l$")
        #expect(rig.selected == "0.0.2")
        rig.type("0")
        #expect(rig.selected == "0.0.0")
        rig.type("G$")
        #expect(rig.selected == "0.0.22")
        rig.type("10G")
        let before = rig.selected
        rig.type("L")
        let low = rig.selected
        rig.type("H")
        #expect([before, low, rig.selected].compactMap(\.self).count == 3 && rig.selected != low)
        rig.type("zz")
        let frame = rig.gallery?.tiles.first { $0.isSelected }?.frame
        #expect(
            frame.map { abs(2 * $0.y + $0.size.rows - 40) <= 3 } == true,
            "\(String(describing: frame))")
    }

    @Test("in the list l opens the picture; with a count it moves")
    func listOpens() {
        let rig = loaded()
        rig.type("v2l")
        #expect(rig.selected == "0.0.2")
        rig.type("l")
        #expect(rig.viewer != nil)
    }

    @Test("a count repeats a movement and is shown while typed; Esc clears it")
    func counts() {
        let rig = loaded()
        rig.type("12")
        #expect(rig.draw().bottom.label == "12")
        rig.type("l")
        #expect(rig.selected == "0.0.12")
        rig.type("12G")
        #expect(rig.selected == "0.0.11")
        rig.type("2k")
        #expect(rig.selected == "0.0.5")
        rig.type("20")
        rig.press(.escape)
        rig.type("l")
        #expect(rig.selected == "0.0.6")
        rig.type("99999999999999999999j")
        #expect(rig.selected == "0.0.21")
    }

    @Test("G goes to the last loaded picture; a higher number waits for its page or a key press")
    func lastAndOn() {
        let rig = Rig([[60, 60, 9]])
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.pages.waiting.isEmpty)
        rig.type("G")
        rig.draw()
        #expect(rig.selected == "0.0.59")
        #expect(rig.pages.waiting == [Rig.address(0, 1)])
        #expect(rig.position == "60/60+")
        #expect(rig.message == "60 loaded, loading on…")
        rig.type("125G")
        #expect(
            rig.message == "60 loaded, loading on to 125: any key stays here")
        rig.type("g")
        #expect(rig.draw().bottom.message == "")
        rig.pages.release(Rig.address(0, 1))
        rig.settle()
        #expect(rig.selected == "0.0.0")
        rig.type("125G")
        rig.loadPages()
        #expect(rig.selected == "0.2.4")
        rig.type("500G")
        #expect(rig.draw().bottom.message == "there are only 129")
        #expect(rig.selected == "0.2.8")
    }

    @Test(
        "moving past the end of a growing section loads more and never skips into the next section",
        arguments: ["20j", "60l", "4 ", "20\u{4}"])
    func overTheEnd(keys: String) {
        let rig = Rig([[12, 60], [3]])
        for section in [0, 1] { rig.pages.release(Rig.address(section, 0)) }
        rig.settle()
        for scalar in keys.unicodeScalars {
            rig.press(scalar.value == 4 ? .control("d") : .character(scalar))
        }
        #expect(["0.0.9", "0.0.11"].contains(rig.selected))
        #expect(rig.message == "12 loaded, loading on: any key stays here")
        rig.loadPages()
        #expect(rig.selected.hasPrefix("0.1."), "\(rig.selected)")
        #expect(rig.message == "")
    }

    @Test("a key cancels the wait, and moving past the end of a complete section leaves it")
    func staying() {
        let rig = Rig([[12, 3], [30]])
        for section in [0, 1] { rig.pages.release(Rig.address(section, 0)) }
        rig.settle()
        rig.type("9j")
        rig.press(.escape)
        #expect(rig.message == "")
        rig.loadPages()
        #expect(rig.selected == "0.0.9")
        rig.type("3j")
        #expect(rig.selected == "1.0.3")
    }

    @Test("A loads the whole section and shows progress; Esc stops it, other keys do not")
    func all() {
        let rig = Rig([[60, 60, 60, 9]])
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.type("A")
        #expect(rig.message == "loading all, 60 so far: Esc stops")
        rig.type("l")
        rig.pages.release(Rig.address(0, 1))
        rig.settle()
        #expect(rig.message == "loading all, 120 so far: Esc stops")
        #expect(rig.selected == "0.0.1")
        rig.press(.escape)
        #expect(rig.message == "stopped: 120 loaded")
        rig.pages.release(Rig.address(0, 2))
        rig.settle()
        #expect(rig.pages.waiting == [])
        rig.type("A")
        rig.loadPages()
        #expect(rig.message == "all 189 are loaded")
    }

    @Test("moving by rows crosses sections and keeps the column across shorter rows")
    func columns() {
        let rig = loaded([[4], [2], [6]])
        rig.type("ll")
        var seen: [String] = []
        for _ in 0..<5 {
            seen.append(rig.selected)
            rig.type("j")
        }
        #expect(seen == ["0.0.2", "0.0.3", "1.0.1", "2.0.2", "2.0.5"])
        for _ in 0..<5 {
            rig.type("k")
        }
        #expect(rig.selected == "0.0.2")
    }

    @Test("paging by full and half pages scrolls as far as it moves")
    func paging() {
        let rig = loaded([[240]])
        rig.type(" ")
        #expect(rig.selected == "0.0.9")
        let row = rig.gallery?.scrollRow ?? 0
        let y = rig.gallery?.selected?.frame.y
        rig.press(.pageDown)
        #expect(rig.selected == "0.0.18")
        #expect(rig.gallery?.scrollRow == row + 3 * 12)
        #expect(rig.gallery?.selected?.frame.y == y)
        rig.press(.control("d"))
        #expect(rig.selected == "0.0.21")
        rig.press(.control("u"), .pageUp)
        rig.type("b")
        #expect(rig.selected == "0.0.0")
        #expect(rig.gallery?.scrollRow == 0)
    }

    @Test("[ and ] go to the start of a section and scroll its header to the top")
    func sections() {
        let rig = loaded([[30], [0], [30], [30]])
        rig.type("]")
        #expect(rig.selected == "2.0.0")
        #expect(rig.gallery?.headers.first == "gallery 2")
        rig.type("5j[")
        #expect(rig.selected == "2.0.0")
        rig.type("[")
        #expect(rig.selected == "0.0.0")
        rig.type("2]")
        #expect(rig.selected == "3.0.0")
        rig.type("9]")
        #expect(rig.selected == "3.0.0")
    }

    @Test("the top bar names the section; headers appear only if there are several sections")
    func path() {
        let rig = loaded([[30], [200, 6]])
        #expect(rig.gallery?.headers == ["gallery 0"])
        #expect(rig.draw().top.path == ["gallery 0"])
        #expect(rig.position == "1/30 · 1 of 2")
        rig.type("]2l")
        #expect(rig.draw().top.path == ["gallery 1"])
        #expect(rig.draw().windowTitle == "gallery 1 – Halftone")
        #expect(rig.position == "3/200+ · 2 of 2")
        #expect(rig.draw().top.count == "200+ pictures")
        #expect(loaded([[30]]).gallery?.headers == [])
        #expect(loaded([[30]]).position == "1/30")
    }

    @Test(
        "the selected tile's frame is fully visible in the first and the last row",
        arguments: [24, 40])
    func wholeFrames(rows: Int) {
        for sections in [[[30]], [[7], [0], [8]]] {
            let rig = loaded(sections, rows: rows)
            for keys in ["g", "4G", "G", "k", "gj"] {
                rig.type(keys)
                let frame = rig.gallery?.selected?.frame
                #expect((frame?.y ?? 0) > 1, "\(keys)")
                #expect((frame?.y ?? 99) + (frame?.size.rows ?? 99) < rows - 1, "\(keys)")
                let headers = rig.gallery?.elements.compactMap {
                    if case .header(_, let frame) = $0 { frame.y } else { nil }
                }
                #expect(headers?.contains((frame?.y ?? 0) - 1) == false, "\(keys)")
            }
        }
    }

    @Test(
        "the wheel scrolls by lines, as fast as it turns, and the selection stays while it is on the screen"
    )
    func wheel() {
        let rig = loaded([[90]])
        rig.type("j")
        rig.model.handle(.wheel(rows: 3))
        #expect(rig.gallery?.scrollRow == 12)
        #expect(rig.selected == "0.0.3")
        for _ in 0..<4 {
            #expect(rig.gallery?.scrollRow == 12)
            rig.model.handle(.wheel(rows: 3))
        }
        #expect(rig.gallery?.scrollRow == 24)
        #expect(rig.selected == "0.0.6")
        // After a pause, and in the other direction, the first notch counts.
        rig.clock.now += 1
        rig.model.handle(.wheel(rows: 3))
        #expect(rig.gallery?.scrollRow == 36)
        rig.model.handle(.wheel(rows: -3))
        #expect(rig.gallery?.scrollRow == 24)
        rig.model.handle(.wheel(rows: -3))
        #expect(rig.gallery?.scrollRow == 24)
        for _ in 0..<99 {
            rig.model.handle(.wheel(rows: -3))
        }
        #expect(rig.gallery?.scrollRow == 0)
        for _ in 0..<999 {
            rig.model.handle(.wheel(rows: 3))
        }
        #expect(rig.titles.last == "0.0.89")
    }

    @Test("no tile of a grid is cut off at rest, whatever the height", arguments: 9...70)
    func whole(rows: Int) {
        let rig = loaded([[50], [31]], rows: rows)
        var random = SeededRandom(seed: UInt64(rows))
        for _ in 0..<30 {
            let keys = ["j", "k", "l", " ", "b", "G", "g", "zz", "7G", "]", "["]
            rig.type(keys.randomElement(using: &random) ?? "")
            if Bool.random(using: &random) { rig.model.handle(.wheel(rows: 3)) }
            if Bool.random(using: &random) { rig.model.handle(.wheel(rows: -3)) }
            rig.draw()
            let frames = rig.gallery?.tiles.map(\.frame) ?? []
            #expect(frames.contains { $0.y > 1 && $0.bottom < rows })
            #expect(frames.allSatisfy { $0.y > 1 && $0.bottom < rows })
        }
    }

    @Test(
        "whatever the height, no header stands alone, and the note of a failed page can be read",
        arguments: 9...40)
    func headersAndNotes(rows: Int) {
        let rig = Rig([[7], [5, 5], [4]], rows: rows)
        rig.pages.set(.failure(.fetch(.status(500))), at: Rig.address(1, 1))
        rig.loadPages()
        rig.press(.escape)
        var places: [Int] = []
        repeat {
            rig.draw()
            let elements = rig.gallery?.elements ?? []
            if case .header(let header, _)? = elements.last {
                Issue.record("\(header.title) stands alone")
            }
            places.append(rig.gallery?.scrollRow ?? -1)
            rig.clock.now += 1
            rig.model.handle(.wheel(rows: 3))
        } while rig.gallery?.scrollRow != places.last && places.count < 20
        // Each notch shows another line, or at the end of a section the next one's header.
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 > 1 }, "\(places)")
        for _ in places {
            rig.clock.now += 1
            rig.model.handle(.wheel(rows: -3))
        }
        #expect(rig.gallery?.scrollRow == 0)
        rig.type("12G")
        rig.draw()
        #expect(rig.selected == "1.0.4")
        let notes = rig.gallery?.elements.filter {
            if case .note = $0 { true } else { false }
        }
        #expect(notes?.count == 1)
    }

    @Test("the wheel reaches both ends even if a tile is as tall as the screen", arguments: 6...16)
    func wheelOnShortScreens(rows: Int) {
        let rig = loaded([[30], [30]], rows: rows)
        for _ in 0..<999 {
            rig.model.handle(.wheel(rows: 3))
        }
        #expect(rig.titles.last == "1.0.29")
        for _ in 0..<999 {
            rig.model.handle(.wheel(rows: -3))
        }
        #expect(rig.gallery?.scrollRow == 0)
    }

    @Test("a click selects the picture under it, a double click opens it; other places do nothing")
    func mouse() {
        let rig = loaded()
        guard let tile = rig.gallery?.tiles[4] else { return }
        rig.model.handle(.click(x: tile.frame.x + 3, y: tile.frame.y + 2))
        #expect(rig.selected == "0.0.4")
        for (x, y) in [(0, 0), (0, 39), (0, 1), (79, 5), (-1, -1), (999, 999)] {
            rig.model.handle(.click(x: x, y: y))
            #expect(rig.selected == "0.0.4")
        }
        rig.model.handle(.doubleClick(x: tile.frame.x, y: tile.frame.y))
        #expect(rig.viewer != nil)
    }

    @Test(
        "v and Tab switch layouts; the selected picture stays in view at about the same height",
        arguments: [0, 7, 60, 119])
    func toggle(number: Int) {
        let rig = loaded([[120]])
        rig.type("\(number + 1)G")
        let before = rig.gallery?.selected
        rig.type("v")
        let after = rig.gallery?.selected
        #expect(before?.title == "0.0.\(number)")
        #expect(after?.title == before?.title)
        #expect(abs((after?.frame.y ?? 99) - (before?.frame.y ?? 0)) <= 12)
        #expect(
            rig.gallery?.elements.contains { if case .row = $0 { true } else { false } } == true)
        rig.press(.tab)
        #expect(rig.gallery?.selected?.title == before?.title)
    }

    @Test("+ - = resize the tiles and keep the selected picture in view")
    func tileSizes() {
        let rig = loaded([[120]])
        rig.type("50G")
        let width = rig.gallery?.selected?.frame.size.columns
        rig.type("+")
        // Two share the width.
        #expect(rig.gallery?.selected?.frame.size.columns == 38)
        rig.type("---")
        // Three, four, then five.
        #expect(rig.gallery?.selected?.frame.size.columns == 14)
        #expect(rig.gallery?.selected?.title == "0.0.49")
        rig.type("=")
        #expect(rig.gallery?.selected?.frame.size.columns == width)
        rig.type("99+")
        #expect(rig.gallery?.selected?.frame.size.columns == 78)
        rig.type("99-")
        #expect(rig.gallery?.selected?.frame.size.columns == 8)
    }

    @Test("the selected picture stays in view after every resize")
    func resize() {
        let rig = loaded([[50], [50]])
        rig.type("77G")
        for (columns, rows) in [(200, 60), (24, 6), (25, 9), (80, 24), (33, 7), (400, 100)] {
            rig.model.resize(to: CellSize(columns: columns, rows: rows), cellAspect: 2)
            let frame = rig.gallery?.selected?.frame
            #expect(rig.gallery?.selected?.title == "1.0.26")
            #expect((frame?.y ?? 0) >= 2)
            #expect((frame?.y ?? 0) + (frame?.size.rows ?? 99) <= rows - 1)
        }
    }

    @Test("pictures inserted above do not move the selected one")
    func insertedAbove() {
        let rig = Rig([[30], [90]])
        rig.pages.release(Rig.address(1, 0))
        rig.settle()
        rig.type("8j")
        let before = rig.gallery?.selected
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.gallery?.selected?.title == before?.title)
        #expect(rig.gallery?.selected?.frame == before?.frame)
        #expect(rig.position == "25/90 · 2 of 2")
    }

    @Test("before the first key the first picture is selected, whichever section loads first")
    func untouched() {
        let rig = Rig([[30], [90]])
        rig.pages.release(Rig.address(1, 0))
        rig.settle()
        #expect(rig.selected == "1.0.0")
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.selected == "0.0.0")
        #expect(rig.gallery?.scrollRow == 0)
    }
}
