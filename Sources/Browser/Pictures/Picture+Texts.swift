import Basics
import Gallery
import Network
import Raster
import Thumbnails

extension Picture {
    /// The title; without one, the file's name or the address.
    var caption: String {
        if !title.isEmpty { return title.oneLine() }
        let name = image.lastPathComponent
        return (name.isEmpty ? image.text : name).oneLine()
    }

    /// Returns pixels, bytes and the date (taken, if that has been read), empty if unknown; `facts` describe the largest size.
    func details(facts: PictureFacts?, _ texts: LocalTexts) -> [String] {
        [
            pixels(facts), (byteCount ?? facts?.byteCount).map(Quantity.bytes),
            (camera?.taken ?? date).map(texts.day)?.oneLine(limit: 40),
        ].map { $0 ?? "" }
    }

    /// Returns the size as "1200 × 800": of a verified guess, else of the largest file, else as stated by the gallery; with a question mark
    /// if the page only claims it.
    func pixels(_ facts: PictureFacts?) -> String? {
        if isFullGuessed, let width = full?.width, let height = full?.height {
            return "\(width) × \(height)"
        }
        if let size = facts?.size { return "\(size.width) × \(size.height)" }
        if let width, let height { return "\(width) × \(height)" }
        guard let claim = full ?? variants.last, let width = claim.width, let height = claim.height
        else { return nil }
        return "\(width) × \(height)?"
    }
}

enum Quantity {
    /// "640 bytes", "34 KB", "1.2 MB": decimal units, as file managers and download pages use.
    static func bytes(_ count: Int) -> String {
        count < 1000 ? "\(count) bytes" : text(count, ["KB", "MB"])
    }

    /// "640 ms", "1.2 s", from microseconds.
    static func time(_ microseconds: Int) -> String {
        microseconds < 1000 ? "<1 ms" : text(microseconds, ["ms", "s"])
    }

    /// Returns thousands or millions of a unit, the latter with a decimal up to ten.
    private static func text(_ count: Int, _ units: [String]) -> String {
        if count < 1_000_000 { return "\((count + 500) / 1000) \(units[0])" }
        let tenths = (count + 50_000) / 100_000
        return "\(tenths / 10)\(tenths < 100 ? ".\(tenths % 10)" : "") \(units[1])"
    }

    /// "1.2 of 4.8 MB", or "1.2 MB" if the total is unknown.
    static func progress(_ progress: FetchProgress) -> String {
        guard let total = progress.total else { return bytes(progress.received) }
        let received = bytes(min(progress.received, total))
        let whole = bytes(total)
        // The unit is not repeated.
        let unit = whole.drop { $0 != " " }
        return received.replacing(unit, with: "") + " of \(whole)"
    }
}

extension PictureFacts {
    /// The minutes and seconds of a video, such as "0:42"; nil if there are none.
    var duration: String? {
        seconds > 0 ? "\(seconds / 60):\(seconds / 10 % 6)\(seconds % 10)" : nil
    }
}

extension PictureTimings {
    var lines: [String] {
        let drawn = "decode \(Quantity.time(decode)), draw \(Quantity.time(draw))"
        return switch origin {
        case .network: asked + [drawn]
        case .memory, .disk: (isConfirmed ? asked : []) + ["\(kept), \(drawn)"]
        case .file: ["read \(Quantity.time(queue)), \(drawn)"]
        }
    }

    private var isConfirmed: Bool { fetching > 0 }

    private var asked: [String] {
        [
            "queue \(Quantity.time(queue)), "
                + (connect > 0 ? "connect \(Quantity.time(connect))" : "already connected"),
            "first byte \(Quantity.time(firstByte)), transfer \(Quantity.time(transfer))",
        ]
    }

    private var kept: String {
        let place = origin == .disk ? "from disk" : "from memory"
        return isConfirmed ? place : "\(place) \(Quantity.time(queue))"
    }
}
