import Glibc
import ImageCodecs
public import Raster

/// The pictures in a terminal with kitty's protocol, sixels and iTerm2's files: just enough to see what is shown.
public struct ShownGraphics {
    struct Place {
        var x, y, columns, rows: Int
        var source: (x: Int, y: Int, width: Int, height: Int)
        var order: Int
    }

    struct PlaceKey: Hashable {
        var id, number: Int
    }

    /// The size of a cell, in pixels.
    public var cell = PixelSize(width: 10, height: 20)
    /// The pictures that were sent and not freed, by id.
    public internal(set) var files: [Int: PixelBuffer] = [:]
    /// The frames of animations, by id, and whether they play by themselves.
    public internal(set) var films: [Int: (frames: [PixelBuffer], isPlaying: Bool)] = [:]
    /// The number of pictures sent since the start.
    public internal(set) var sentCount = 0
    /// How many of these were read from shared memory.
    public internal(set) var sharedCount = 0
    /// The number of kitty placements on the screen.
    public var placeCount: Int { places.count }
    /// Commands that were not understood, for messages.
    public internal(set) var faults: [String] = []
    /// The size in cells of files shown through placeholders.
    var virtual: [Int: CellSize] = [:]
    var places: [PlaceKey: Place] = [:]
    /// The pixels that sixels and files have left in cells, by the cell's index.
    var painted: [Int: [UInt8]] = [:]
    /// The part received so far of a picture sent in pieces.
    public internal(set) var pending: (keys: [String: String], payload: [UInt8])?
    var order = 0

    /// Erases the screen like kitty, which frees all files except those shown through placeholders.
    mutating func clear() {
        files = files.filter { virtual[$0.key] != nil }
        places = [:]
        painted = [:]
    }

    /// Moves the pictures in `rows` along with the text.
    mutating func scroll(_ rows: Range<Int>, by distance: Int, columns: Int) {
        for (key, place) in places where rows.contains(place.y) { places[key]?.y -= distance }
        let moved = painted.map { index, pixels in
            let isInside = rows.contains(index / columns)
            return (isInside ? index - distance * columns : index, pixels, isInside)
        }
        painted = Dictionary(
            moved.filter { !$2 || rows.contains($0 / columns) }.map { ($0.0, $0.1) },
            uniquingKeysWith: { $1 })
    }
}

extension ScreenEmulator {
    /// Returns the pixels shown in the cells of `area`; nil if a cell shows none.
    public func pixels(of area: CellRect) -> PixelBuffer? {
        let cell = graphics.cell
        let size = PixelSize(
            width: area.size.columns * cell.width, height: area.size.rows * cell.height)
        var bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
        for y in 0..<area.size.rows {
            for x in 0..<area.size.columns {
                guard let part = pixels(x: area.x + x, y: area.y + y) else { return nil }
                for line in 0..<cell.height {
                    let start = ((y * cell.height + line) * size.width + x * cell.width) * 4
                    let row = line * cell.width * 4
                    bytes.replaceSubrange(
                        start..<start + cell.width * 4, with: part[row..<row + cell.width * 4])
                }
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }

    /// Returns the pixels of one cell; nil if it shows none, or not all of them.
    private func pixels(x: Int, y: Int) -> [UInt8]? {
        if let part = painted(x: x, y: y) { return part }
        let over = graphics.places.filter { _, place in
            (place.x..<place.x + place.columns).contains(x)
                && (place.y..<place.y + place.rows).contains(y)
        }.max { $0.value.order < $1.value.order }
        if let (key, place) = over, let file = graphics.files[key.id] {
            return part(
                of: file, place.source, x - place.x, y - place.y, place.columns, place.rows)
        }
        guard let marks = marked[grid[x, y].glyph], marks.first?.value == 0x10EEEE,
            marks.count == 4, let low = grid[x, y].foreground.paletteIndex.map({ Int($0) }),
            case let id = (Self.diacritics.firstIndex(of: marks[3]) ?? 0) << 24 | low,
            let row = Self.diacritics.firstIndex(of: marks[1]), let file = graphics.files[id],
            let column = Self.diacritics.firstIndex(of: marks[2]), let cells = graphics.virtual[id]
        else { return nil }
        return part(
            of: file, (0, 0, file.size.width, file.size.height), column, row, cells.columns,
            cells.rows)
    }

    private func painted(x: Int, y: Int) -> [UInt8]? {
        guard let part = graphics.painted[y * size.columns + x] else { return nil }
        return stride(from: 3, to: part.count, by: 4).allSatisfy { part[$0] == 255 } ? part : nil
    }

    /// Returns one cell's part of a picture's `source` stretched over the given cells, with nearest-neighbour sampling.
    private func part(
        of file: PixelBuffer, _ source: (x: Int, y: Int, width: Int, height: Int), _ column: Int,
        _ row: Int, _ columns: Int, _ rows: Int
    ) -> [UInt8] {
        let cell = graphics.cell
        return (0..<cell.height).flatMap { line in
            (0..<cell.width).flatMap { dot in
                let x = (column * cell.width + dot) * source.width / (columns * cell.width)
                let y = (row * cell.height + line) * source.height / (rows * cell.height)
                let start = ((source.y + y) * file.size.width + source.x + x) * 4
                return Array(file.bytes[start..<start + 4])
            }
        }
    }

    /// kitty's diacritics for rows and columns, by its own rule: marks above from Unicode 6 that are not part of compositions.
    public static let diacritics: [Unicode.Scalar] = (0x300..<0x1E000).compactMap(
        Unicode.Scalar.init
    )
    .filter { scalar in
        let properties = scalar.properties
        let composed: [ClosedRange<UInt32>] = [
            0x300...0x304, 0x306...0x30C, 0x30F...0x30F, 0x311...0x311, 0x313...0x314,
            0x340...0x345, 0x653...0x654,
        ]
        return properties.generalCategory == .nonspacingMark
            && properties.canonicalCombiningClass == .above
            && properties.age.map { $0 <= (6, 0) } == true
            && !composed.contains { $0.contains(scalar.value) }
    }

    /// Processes a string sequence that may be a picture.
    func show(graphics sequence: [UInt8]) {
        if sequence.starts(with: "_G".utf8) {
            if outer != nil { graphics.faults.append("kitty's protocol, to tmux itself") }
            command(sequence.dropFirst(2))
        } else if sequence.first == UInt8(ascii: "P"),
            let start = sequence.firstIndex(of: UInt8(ascii: "q")),
            sequence[1..<start].allSatisfy({ $0 == 0x3B || (0x30...0x39).contains($0) })
        {
            paint(SixelReader.picture(sequence[(start + 1)...]), size: nil)
        } else if sequence.starts(with: "]1337;File=".utf8),
            let colon = sequence.firstIndex(of: UInt8(ascii: ":"))
        {
            let keys = Self.keys(sequence[11..<colon], separator: ";")
            let cells = CellSize(
                columns: Int(keys["width"] ?? "") ?? 0, rows: Int(keys["height"] ?? "") ?? 0)
            let bytes = Self.unpacked(sequence[(colon + 1)...])
            if keys["size"] != "\(bytes.count)" { graphics.faults.append("size") }
            picture(bytes).map { paint($0, size: cells) }
        }
    }

    /// Draws a picture into the cells starting at the cursor.
    private func paint(_ picture: PixelBuffer, size cells: CellSize?) {
        let cell = graphics.cell
        var picture = picture
        if let cells {
            picture = picture.resampled(
                to: PixelSize(
                    width: cells.columns * cell.width, height: cells.rows * cell.height))
        }
        graphics.sentCount += 1
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let start = (y * picture.size.width + x) * 4
                let (column, row) = (cursorX + x / cell.width, cursorY + y / cell.height)
                guard picture.bytes[start + 3] == 255 else { continue }
                guard column < size.columns, row < size.rows - 1 else {
                    return graphics.faults.append("a picture reaches row \(row), column \(column)")
                }
                let blank = [UInt8](repeating: 0, count: cell.width * cell.height * 4)
                let place = ((y % cell.height) * cell.width + x % cell.width) * 4
                graphics.painted[row * size.columns + column, default: blank].replaceSubrange(
                    place..<place + 4, with: picture.bytes[start..<start + 4])
            }
        }
    }

    private func command(_ sequence: ArraySlice<UInt8>) {
        let parts = sequence.split(separator: UInt8(ascii: ";"), maxSplits: 1)
        var keys = Self.keys(parts.first ?? [], separator: ",")
        let payload = parts.count > 1 ? Array(parts[1]) : []
        if payload.count > 4096 { graphics.faults.append("a chunk of \(payload.count)") }
        if keys["t"] == "s" { return share(Self.unpacked(payload[...]), keys) }
        // Ends a transmission that was cut off.
        if payload.isEmpty, keys["m"] == "0" { return graphics.pending = nil }
        if let pending = graphics.pending {
            if pending.keys["a"] == "f", keys["a"] != "f" {
                graphics.faults.append("no frame's chunk")
            }
            keys = pending.keys.merging(keys.filter { $0.key == "m" }) { $1 }
            graphics.pending = (keys, pending.payload + payload)
        } else if keys["m"] != nil {
            graphics.pending = (keys, payload)
        }
        if let whole = graphics.pending, keys["m"] == "0" {
            graphics.pending = nil
            take(Self.unpacked(whole.payload[...]), keys)
        } else if graphics.pending == nil {
            perform(keys)
        }
    }

    /// Reads a picture from shared memory and removes that, like kitty, or only tries to; a program that has ended has taken it away.
    private func share(_ name: [UInt8], _ keys: [String: String]) {
        guard answers?.readsSharedMemory == true else { return }
        let name = String(decoding: name, as: UTF8.self)
        let count = Int(keys["S"] ?? "") ?? 0
        var bytes = [UInt8](repeating: 0, count: count)
        let file = shm_open(name, O_RDONLY, 0)
        let isRead = file >= 0 && read(file, &bytes, count) == count
        close(file)
        shm_unlink(name)
        if keys["a"] == "q" {
            reply("_Gi=\(keys["i"] ?? "");\(isRead ? "OK" : "ENOENT")\u{1B}\\")
        } else if isRead {
            graphics.sharedCount += 1
            take(bytes, keys)
        }
    }

    private func take(_ bytes: [UInt8], _ keys: [String: String]) {
        // Pictures without an id are shown at the cursor.
        let shown = keys["a"] == "T" && keys["i"] == nil ? -1 - graphics.sentCount : nil
        guard let id = shown ?? Int(keys["i"] ?? ""), let file = picture(bytes, keys)
        else {
            return graphics.faults.append("a file for \(keys)")
        }
        graphics.sentCount += 1
        if keys["a"] == "f" {
            guard let first = graphics.files[id] else {
                return graphics.faults.append("a frame of nothing")
            }
            graphics.films[id, default: ([first], false)].frames.append(file)
            return
        }
        graphics.files[id] = file
        graphics.films[id] = nil
        if shown != nil {
            perform(
                keys.merging([
                    "a": "p", "i": "\(id)", "w": "\(file.size.width)", "h": "\(file.size.height)",
                ]) { $1 })
        }
        if keys["U"] == "1", let columns = Int(keys["c"] ?? ""), let rows = Int(keys["r"] ?? "") {
            graphics.virtual[id] = CellSize(columns: columns, rows: rows)
        }
    }

    private func perform(_ keys: [String: String]) {
        func number(_ key: String) -> Int { Int(keys[key] ?? "") ?? 0 }
        let key = ShownGraphics.PlaceKey(id: number("i"), number: number("p"))
        switch (keys["a"], keys["d"]) {
        case ("p", _) where keys["U"] == "1":
            if graphics.files[key.id] == nil, keys["q"] != "2" {
                reply("_Gi=\(key.id),p=1;ENOENT:no such image\u{1B}\\")
            }
        case ("p", _):
            graphics.order += 1
            graphics.places[key] = ShownGraphics.Place(
                x: cursorX, y: cursorY, columns: number("c"), rows: number("r"),
                source: (number("x"), number("y"), number("w"), number("h")),
                order: graphics.order)
            if graphics.files[key.id] == nil { graphics.faults.append("no file \(key.id)") }
        case ("d", "i"): graphics.places[key] = nil
        case ("d", "I"):
            graphics.places = graphics.places.filter { $0.key.id != key.id }
            graphics.files[key.id] = nil
            graphics.virtual[key.id] = nil
            // Like kitty, which frees all others without a placement, too.
            let shown = Set(graphics.places.keys.map(\.id)).union(graphics.virtual.keys)
            graphics.files = graphics.files.filter { shown.contains($0.key) }
        case ("q", _): break
        case ("a", _):
            let film =
                graphics.films[key.id] ?? ([graphics.files[key.id]].compactMap(\.self), false)
            guard film.frames.indices.contains(number("c") - 1), number("z") > 0 else {
                return graphics.faults.append("\(keys)")
            }
            graphics.films[key.id] = (film.frames, keys["s"] == "3")
            graphics.files[key.id] = film.frames[number("c") - 1]
        default: graphics.faults.append("\(keys)")
        }
    }

    private func picture(_ bytes: [UInt8], _ keys: [String: String]) -> PixelBuffer? {
        let size = PixelSize(width: Int(keys["s"] ?? "") ?? 0, height: Int(keys["v"] ?? "") ?? 0)
        switch keys["f"] {
        case "100": return picture(bytes)
        case "32" where bytes.count == size.count * 4:
            return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
        default: return nil
        }
    }

    private func picture(_ bytes: [UInt8]) -> PixelBuffer? {
        try? ImageDecoder().decode(FileBytes(bytes), covering: nil).pixels
    }

    private static func keys(_ text: ArraySlice<UInt8>, separator: Character) -> [String: String] {
        let pairs = String(decoding: text, as: UTF8.self).split(separator: separator).map {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        return Dictionary(
            pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }

    private static func unpacked(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let values = Dictionary(uniqueKeysWithValues: digits.enumerated().map { ($1, $0) })
        var (word, bits) = (0, 0)
        var bytes: [UInt8] = []
        for character in text {
            guard let value = values[character] else { continue }
            (word, bits) = ((word << 6 | value) & 0xFFFFFF, bits + 6)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(word >> bits & 0xFF))
            }
        }
        return bytes
    }
}

/// Decodes sixels, like a VT340 with a register for every number.
private struct SixelReader {
    private var bytes: ArraySlice<UInt8>
    private var dots: [Int: [Int: RGB]] = [:]
    private var width = 0

    static func picture(_ bytes: ArraySlice<UInt8>) -> PixelBuffer {
        var reader = SixelReader(bytes: bytes)
        reader.read()
        let height = (reader.dots.keys.max() ?? -1) + 1
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<reader.width {
                let color = reader.dots[y]?[x]
                pixels += color.map { [$0.red, $0.green, $0.blue, 255] } ?? [0, 0, 0, 0]
            }
        }
        return PixelBuffer(
            size: PixelSize(width: reader.width, height: height), bytes: pixels, isOpaque: false)
    }

    private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private mutating func numbers() -> [Int] {
        let text = bytes.prefix { $0 == 0x3B || (0x30...0x39).contains($0) }
        bytes = bytes.dropFirst(text.count)
        return text.split(separator: 0x3B).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    }

    private mutating func read() {
        var (x, y) = (0, 0)
        var colors: [Int: RGB] = [:]
        var color = 0
        var count = 1
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): _ = numbers()
            case UInt8(ascii: "$"): x = 0
            case UInt8(ascii: "-"): (x, y) = (0, y + 6)
            case UInt8(ascii: "!"): count = numbers().first ?? 1
            case UInt8(ascii: "#"):
                let values = numbers()
                color = values.first ?? 0
                guard values.count == 5, values[1] == 2 else { continue }
                let channels = values[2...].map { UInt8(clamping: ($0 * 255 + 50) / 100) }
                colors[color] = RGB(red: channels[0], green: channels[1], blue: channels[2])
            case 0x3F...0x7E:
                for dot in x..<x + count {
                    for bit in 0..<6 where (byte - 0x3F) >> UInt8(bit) & 1 == 1 {
                        dots[y + bit, default: [:]][dot] = colors[color]
                    }
                }
                x += count
                width = max(width, x)
                count = 1
            default: break
            }
        }
    }
}
