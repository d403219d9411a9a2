import Raster

/// The pictures that a terminal holds in kitty's graphics protocol: sent once, and shown by their IDs.
///
/// https://sw.kovidgoyal.net/kitty/graphics-protocol/ ; commands are quiet (`q=2`), since replies would arrive among the keys.
struct KittyPictures {
    private struct Held {
        /// Distinguishes pictures with the same ID.
        var serial: Int
        /// Its decoded size in the terminal.
        var bytes: Int
        /// The last frame that showed it.
        var frame: Int
    }

    /// A part of a picture on the screen.
    private struct Place: Hashable {
        var id: UInt32
        var cells: CellRect
        /// The pixels shown there.
        var x, y, width, height: Int
    }

    private var held: [UInt32: Held] = [:]
    private var places: [Place: Int] = [:]
    private var lastPlace = 0
    /// Whether commands are passed through tmux; pictures then stay in its terminal whatever is shown meanwhile, since kitty frees
    /// the oldest itself, and reports those it has lost.
    var goesThroughTmux = false

    /// kitty keeps 320 MB, others less; a screen of 4 megapixels takes 16 MB.
    private static let maxBytes = 64 << 20
    /// The largest payload of a command, in bytes, set by the protocol.
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

    /// Returns whether the terminal holds the picture, and if so records that `frame` shows it.
    mutating func holds(_ placed: PlacedPicture, in frame: Int) -> Bool {
        guard held[placed.id]?.serial == placed.picture.serial else { return false }
        held[placed.id]?.frame = frame
        return true
    }

    /// Returns the commands that make the terminal report those of `pictures` that it has lost, and only those.
    func recheck(of pictures: [PlacedPicture]) -> [UInt8] {
        pictures.filter { held[$0.id] != nil }.flatMap {
            command("a=p,\(Self.virtualPlace(of: $0)),i=\($0.id),q=1")
        }
    }

    /// Returns the keys of a picture's only virtual placement: placing it again changes nothing.
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

    /// Returns the commands that send a PNG in chunks; `keys` specify what to do with it.
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

    /// Frees the least recently shown pictures, except those in `frame`, if they exceed the limit.
    mutating func makeRoom(in frame: Int) -> [UInt8] {
        var total = held.values.reduce(0) { $0 + $1.bytes }
        guard total > Self.maxBytes, !goesThroughTmux else { return [] }
        var bytes: [UInt8] = []
        for (id, picture) in held.sorted(by: { $0.value.frame < $1.value.frame })
        where total > Self.maxBytes && picture.frame < frame {
            total -= picture.bytes
            bytes += free(id)
        }
        return bytes
    }

    /// Frees all pictures.
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

    /// Shows the parts of pictures that the cells of `canvas` specify, and removes all others.
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
        // Old placements go last, so that a moving picture is always visible.
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
