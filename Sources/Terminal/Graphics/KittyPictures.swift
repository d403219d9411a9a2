import Basics
import Pipeline
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
        /// How many frames of its animation the terminal has, and what it shows of them.
        var filmed = 1
        var shown: CodedPicture?
    }

    private var held: [UInt32: Held] = [:]
    private var shared = SharedPixels()

    /// kitty keeps 320 MB, others less; a screen in 4K takes 33 MB.
    var maxBytes = 64 << 20
    /// The largest payload of a command, in bytes, set by the protocol.
    private static let chunk = 4096

    static func command(_ keys: String, _ payload: ArraySlice<UInt8> = []) -> [UInt8] {
        "\u{1B}_G\(keys)".bytes + (payload.isEmpty ? [] : [";"] + payload)
            + TerminalSequence.stringEnd
    }

    /// Returns the keys that show a picture in placeholders; placing it again changes nothing.
    static func virtualPlace(of placed: PlacedPicture) -> String {
        "U=1,p=1,c=\(placed.picture.cells.columns),r=\(placed.picture.cells.rows),i=\(placed.id)"
    }

    /// Returns the commands that send a file in chunks; `keys` specify what it is, and first of all what to do with it.
    static func transmission(of file: [UInt8], _ keys: String) -> [[UInt8]] {
        let payload = file.base64
        return stride(from: 0, to: payload.count, by: chunk).map { start in
            let end = min(start + chunk, payload.count)
            let first = start == 0 ? keys : keys.hasPrefix("a=f") ? "a=f" : ""
            return command(
                "\(first)\(first.isEmpty ? "" : ",")q=2,m=\(end < payload.count ? 1 : 0)",
                payload[start..<end])
        }
    }

    /// Returns the commands that send a picture; none for sixels.
    private mutating func transmission(
        of picture: CodedPicture, _ keys: String
    ) -> [[UInt8]] {
        switch picture.code {
        case .palette: return []
        case .png(let file): return Self.transmission(of: file, "\(keys),f=100")
        case .plain(let pixels):
            let keys = "\(keys),f=32,s=\(pixels.size.width),v=\(pixels.size.height)"
            // What finds no room there goes as it is.
            guard let name = shared.make(pixels.bytes) else {
                return Self.transmission(of: pixels.bytes, keys)
            }
            return [
                Self.command(
                    "\(keys),q=2,t=s,S=\(pixels.bytes.count)", name.bytes.base64[...])
            ]
        }
    }

    /// Ends a picture that was cut off between two commands.
    static let endOfPicture = "\u{1B}_Gm=0,q=2;\u{1B}\\".bytes

    /// Ends a picture that was cut off anywhere.
    static let afterCut = TerminalSequence.stringEnd + endOfPicture

    func holds(_ id: UInt32) -> Bool { held[id] != nil }

    /// Returns whether the terminal holds the picture, and if so records that `frame` shows it.
    mutating func holds(_ placed: PlacedPicture, in frame: Int) -> Bool {
        guard held[placed.id]?.serial == placed.picture.serial else { return false }
        held[placed.id]?.frame = frame
        return true
    }

    /// Records that the terminal was sent a picture, for `frame`.
    mutating func keep(_ placed: PlacedPicture, in frame: Int) {
        held[placed.id] = Held(
            serial: placed.picture.serial, bytes: placed.picture.size.count * 4, frame: frame)
    }

    /// Admits `placed` to `frame`, sending it with `keys` if the terminal does not hold it and the frame `hasRoom`.
    mutating func admit(
        _ placed: PlacedPicture, to frame: PixelFrame, keys: String, hasRoom: Bool
    ) -> PixelAdmission {
        var bytes: [UInt8] = []
        if !holds(placed, in: frame.number) {
            guard hasRoom else { return .later }
            bytes = transmission(of: placed.picture, keys).flatMap(\.self)
            if bytes.isEmpty { return .cells }
            keep(placed, in: frame.number)
        }
        guard let film = placed.picture.film else {
            return .pixels(sending: bytes, cost: bytes.count)
        }
        bytes += show(film, of: placed, most: PixelLayer.maxBytes - frame.spent - bytes.count)
        let isWhole = held[placed.id]?.filmed == film.frames.count
        return .pixels(sending: bytes, cost: bytes.count, isWhole: isWhole)
    }

    /// Returns what sends the frames of an animation that the terminal lacks, until there are `most` bytes of them, and then shows it.
    private mutating func show(_ film: Film, of placed: PlacedPicture, most: Int) -> [UInt8] {
        guard var kept = held[placed.id], kept.shown != placed.picture else { return [] }
        defer { held[placed.id] = kept }
        var bytes: [UInt8] = []
        for frame in film.frames.dropFirst(kept.filmed).prefix(64) where bytes.count < most {
            bytes += transmission(
                of: frame.picture, "a=f,i=\(placed.id),z=\(frame.milliseconds)"
            ).joined()
            kept.filmed += 1
            kept.bytes += frame.picture.size.count * 4
        }
        guard kept.filmed == film.frames.count else { return bytes }
        kept.shown = placed.picture
        return bytes
            + Self.command(
                """
                a=a,i=\(placed.id),r=1,z=\(film.frames[0].milliseconds),c=\(film.position + 1),\
                s=\(film.isPlaying ? 3 : 1),v=1,q=2
                """)
    }

    /// Frees the least recently shown pictures, except those in `frame`, if they exceed the limit.
    mutating func makeRoom(in frame: Int) -> [UInt8] {
        var total = held.values.reduce(0) { $0 + $1.bytes }
        var bytes: [UInt8] = []
        for (id, picture) in held.sorted(by: { $0.value.frame < $1.value.frame })
        where total > maxBytes && picture.frame < frame {
            total -= picture.bytes
            bytes += free(id)
        }
        return bytes
    }

    /// Records that the terminal has freed all others.
    mutating func keepOnly(_ ids: Set<UInt32>) { held = held.filter { ids.contains($0.key) } }

    /// Frees all pictures.
    mutating func reset() -> [UInt8] { held.keys.sorted().flatMap { free($0) } }

    /// Removes the pictures that the terminal will not read any more.
    mutating func finish() { shared.removeAll() }

    private mutating func free(_ id: UInt32) -> [UInt8] {
        held[id] = nil
        return Self.command("a=d,d=I,i=\(id),q=2")
    }
}
