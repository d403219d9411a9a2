import Raster

/// Pictures that a terminal holds by kitty's graphics protocol: sent once, shown by their ids.
///
/// https://sw.kovidgoyal.net/kitty/graphics-protocol/ ; every command is quiet (`q=2`), as answers would come among the keys.
struct KittyPictures {
    private struct Held {
        /// Which of all that may have its id.
        var serial: Int
        /// What it takes in the terminal, unpacked.
        var bytes: Int
        /// The last frame that showed it.
        var frame: Int
    }

    /// A part of a picture on the screen.
    private struct Place: Hashable {
        var id: UInt32
        var cells: CellRect
        /// The pixels that are shown there.
        var x, y, width, height: Int
    }

    private var held: [UInt32: Held] = [:]
    private var places: [Place: Int] = [:]
    private var lastPlace = 0
    /// Whether tmux is to hand everything on to its terminal; pictures are kept there then, whatever is shown meanwhile, as kitty
    /// frees the oldest by itself, and says which it has lost.
    var goesThroughTmux = false

    /// kitty holds 320 MB, others less; a screen of 4 megapixels takes 16.
    private static let mostBytes = 64 << 20
    /// As the protocol has it.
    private static let chunk = 4096

    private func command(_ keys: String) -> [UInt8] {
        Self.command(keys, throughTmux: goesThroughTmux)
    }

    private static func command(
        _ keys: String, _ payload: ArraySlice<UInt8> = [], throughTmux: Bool
    ) -> [UInt8] {
        let bytes =
            Array("\u{1B}_G\(keys)".utf8) + (payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload)
            + [0x1B, UInt8(ascii: "\\")]
        return throughTmux ? TmuxPassthrough.wrapped(bytes) : bytes
    }

    /// Whether the terminal has it; it is shown in `frame` then.
    mutating func holds(_ placed: PlacedPicture, in frame: Int) -> Bool {
        guard held[placed.id]?.serial == placed.picture.serial else { return false }
        held[placed.id]?.frame = frame
        return true
    }

    /// Has the terminal say which of `pictures` it has lost; says nothing of the others.
    func rollCall(of pictures: [PlacedPicture]) -> [UInt8] {
        pictures.filter { held[$0.id] != nil }.flatMap {
            command("a=p,\(Self.virtualPlace(of: $0)),i=\($0.id),q=1")
        }
    }

    /// Always the same one: to place it again changes nothing.
    private static func virtualPlace(of placed: PlacedPicture) -> String {
        "U=1,p=1,c=\(placed.picture.cells.columns),r=\(placed.picture.cells.rows)"
    }

    /// Returns the commands that send a PNG; `isVirtual` shows it in placeholders.
    func transmission(
        of file: [UInt8], for placed: PlacedPicture, isVirtual: Bool
    ) -> [[UInt8]] {
        let use = isVirtual ? "a=T,\(Self.virtualPlace(of: placed))" : "a=t"
        return Self.transmission(
            of: file, "\(use),i=\(placed.id)", throughTmux: goesThroughTmux)
    }

    /// Records that the terminal was sent a picture, for `frame`.
    mutating func keep(_ placed: PlacedPicture, in frame: Int) {
        let size = placed.picture.size
        held[placed.id] = Held(
            serial: placed.picture.serial, bytes: size.width * size.height * 4, frame: frame)
    }

    /// Sends a PNG in as many commands as it takes; `keys` say what becomes of it.
    static func transmission(
        of file: [UInt8], _ keys: String, throughTmux: Bool = false
    ) -> [[UInt8]] {
        let payload = Base64.bytes(file)
        return stride(from: 0, to: payload.count, by: chunk).map { start in
            let end = min(start + chunk, payload.count)
            let first = start == 0 ? "\(keys),f=100," : ""
            return command(
                "\(first)q=2,m=\(end < payload.count ? 1 : 0)", payload[start..<end],
                throughTmux: throughTmux)
        }
    }

    /// Ends a picture that was cut off between two commands.
    static let endOfPicture = Array("\u{1B}_Gm=0,q=2;\u{1B}\\".utf8)

    /// Frees what was not seen for longest, and not in `frame`, if it is too much.
    mutating func makeRoom(in frame: Int) -> [UInt8] {
        var total = held.values.reduce(0) { $0 + $1.bytes }
        guard total > Self.mostBytes, !goesThroughTmux else { return [] }
        var bytes: [UInt8] = []
        for (id, picture) in held.sorted(by: { $0.value.frame < $1.value.frame })
        where total > Self.mostBytes && picture.frame < frame {
            total -= picture.bytes
            bytes += free(id)
        }
        return bytes
    }

    /// Frees everything.
    mutating func reset() -> [UInt8] {
        goesThroughTmux ? [] : held.keys.sorted().flatMap { free($0) }
    }

    /// Records that the terminal is another one, which has no pictures.
    mutating func forget() { held = [:] }

    private mutating func free(_ id: UInt32) -> [UInt8] {
        held[id] = nil
        places = places.filter { $0.key.id != id }
        return command("a=d,d=I,i=\(id),q=2")
    }

    /// Shows what the cells of `canvas` say, and takes away what they no longer say.
    mutating func place(_ canvas: Canvas) -> [UInt8] {
        var bytes: [UInt8] = []
        var kept: [Place: Int] = [:]
        for placed in canvas.pictures where held[placed.id] != nil {
            for place in Self.places(of: placed, on: canvas) {
                if let number = places.removeValue(forKey: place) {
                    kept[place] = number
                    continue
                }
                lastPlace += 1
                kept[place] = lastPlace
                bytes += PixelLayer.move(x: place.cells.x, y: place.cells.y)
                bytes += command(
                    "a=p,i=\(place.id),p=\(lastPlace),x=\(place.x),y=\(place.y),w=\(place.width)"
                        + ",h=\(place.height),c=\(place.cells.size.columns)"
                        + ",r=\(place.cells.size.rows),C=1,q=2")
            }
        }
        // After the new ones, so that a picture that moves is always there.
        for (place, number) in places {
            bytes += command("a=d,d=i,i=\(place.id),p=\(number),q=2")
        }
        places = kept
        return bytes.isEmpty ? [] : PixelLayer.keepCursor + bytes + PixelLayer.restoreCursor
    }

    private static func places(of placed: PlacedPicture, on canvas: Canvas) -> [Place] {
        let (size, cells) = (placed.picture.size, placed.picture.cells)
        return canvas.rectangles(of: placed.visible) {
            canvas.cells[$0].showsPixels && canvas.cells[$0].pictureID == placed.id
        }.map { part in
            let (left, top) = (part.x - placed.frame.x, part.y - placed.frame.y)
            let (x, y) = (left * size.width / cells.columns, top * size.height / cells.rows)
            let right = (left + part.size.columns) * size.width / cells.columns
            let bottom = (top + part.size.rows) * size.height / cells.rows
            return Place(
                id: placed.id, cells: part, x: x, y: y, width: right - x, height: bottom - y)
        }
    }
}
