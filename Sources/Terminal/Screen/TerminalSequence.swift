import Basics
import Pipeline
import Raster

/// Control sequences that are written without ncurses, from xterm's and ECMA-48's.
enum TerminalSequence {
    /// DECSC, which keeps cursor and attributes; DECRC gives them back.
    static let keepCursor = "\u{1B}7".bytes
    static let restoreCursor = "\u{1B}8".bytes

    /// Hides a cursor shown by `showCursor`, and puts it where ncurses left it.
    static let hideCursor = "\u{1B}[?25l\u{1B}8".bytes

    /// Shows the cursor at a position unknown to ncurses.
    static func showCursor(x: Int, y: Int) -> [UInt8] {
        keepCursor + move(x: x, y: y) + "\u{1B}[?25h".bytes
    }

    static func move(x: Int, y: Int) -> [UInt8] { "\u{1B}[\(y + 1);\(x + 1)H".bytes }

    /// Blanks a cell while lines wrap: then tmux (3.4 to 3.8) looks for a sixel over it, and drops that.
    ///
    /// Cursor and attributes are kept.
    static func dropSixel(x: Int, y: Int) -> [UInt8] {
        keepCursor + move(x: x, y: y) + "\u{1B}[m\u{1B}[?7h \u{1B}[?7l\u{1B}8".bytes
    }

    /// Moves `rows` up by `distance` rows, or down if negative, for terminals with ANSI scrolling.
    ///
    /// Cursor and attributes are preserved, so that ncurses' knowledge of the terminal stays valid; vacated rows are
    /// blank in the default colours.
    static func scroll(_ rows: Range<Int>, by distance: Int) -> [UInt8] {
        let region = "\u{1B}7\u{1B}[0;39;49m\u{1B}[\(rows.lowerBound + 1);\(rows.upperBound)r"
        let start = distance > 0 ? rows.upperBound : rows.lowerBound + 1
        let steps = String(repeating: distance > 0 ? "\n" : "\u{1B}M", count: abs(distance))
        return "\(region)\u{1B}[\(start);1H\(steps)\u{1B}[r\u{1B}8".bytes
    }

    /// Saves the window's title and restores it (XTWINOPS 22 and 23).
    static let pushTitle = "\u{1B}[22;0t"
    static let popTitle = "\u{1B}[23;0t"

    /// Sets the window's title (OSC 2), at most 200 characters: windows show no more, and some terminals accept no more.
    static func title(_ title: String, isUnicode: Bool) -> [UInt8] {
        let line = title.oneLine(limit: 200)
        return "\u{1B}]2;\(isUnicode ? line : line.ascii)\u{7}".bytes
    }

    /// Asks the terminal to copy a text to the clipboard (OSC 52).
    ///
    /// Works over SSH; terminals that do not support or allow it ignore it.
    static func clipboard(_ text: String) -> [UInt8] {
        "\u{1B}]52;c;".bytes + text.bytes.base64 + [0x07]
    }

    /// Asks the terminal to copy a file to the clipboard (OSC 5522), in pieces.
    ///
    /// https://sw.kovidgoyal.net/kitty/clipboard/
    static func clipboard(_ file: [UInt8], mediaType: String) -> [UInt8] {
        func command(_ text: String) -> [UInt8] { "\u{1B}]5522;type=\(text)".bytes }
        let head = command("wdata:mime=") + mediaType.bytes.base64 + [";"]
        let pieces = stride(from: 0, to: file.count, by: 4096).map {
            head + Array(file[$0...].prefix(4096)).base64 + stringEnd
        }
        return command("write") + stringEnd + pieces.joined() + command("wdata") + stringEnd
    }

    /// Shows a file like iTerm2's inline images (OSC 1337), stretched over a number of cells.
    static func inlineFile(_ file: [UInt8], cells: CellSize) -> [UInt8] {
        let head = """
            \u{1B}]1337;File=inline=1;size=\(file.count);width=\(cells.columns);\
            height=\(cells.rows);preserveAspectRatio=0;doNotMoveCursor=1:
            """
        return head.bytes + file.base64 + [0x07]
    }

    /// Ends a string sequence (ST).
    static let stringEnd = "\u{1B}\\".bytes

    /// Returns `bytes` as a string that tmux passes to its terminal if its option `allow-passthrough` permits that; escape
    /// characters are doubled.
    static func throughTmux(_ bytes: [UInt8]) -> [UInt8] {
        var wrapped = "\u{1B}Ptmux;".bytes
        wrapped.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            if byte == 0x1B { wrapped.append(byte) }
            wrapped.append(byte)
        }
        return wrapped + stringEnd
    }
}
