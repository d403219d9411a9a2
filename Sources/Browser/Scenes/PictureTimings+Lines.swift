import Network
import Thumbnails

extension PictureTimings {
    /// Where the time went, in lines that fit a panel of 60 columns.
    var lines: [String] {
        let drawn = "decode \(Self.text(decode)), draw \(Self.text(draw))"
        switch origin {
        case .network: return asked + [drawn]
        case .memory, .disk: return (isConfirmed ? asked : []) + ["\(kept), \(drawn)"]
        case .file: return ["read \(Self.text(queue)), \(drawn)"]
        }
    }

    /// Whether a server was asked about what was kept.
    private var isConfirmed: Bool { fetching > 0 }

    private var asked: [String] {
        [
            "queue \(Self.text(queue)), "
                + (connect > 0 ? "connect \(Self.text(connect))" : "already connected"),
            "first byte \(Self.text(firstByte)), transfer \(Self.text(transfer))",
        ]
    }

    private var kept: String {
        let place = origin == .disk ? "from disk" : "from memory"
        return isConfirmed ? place : "\(place) \(Self.text(queue))"
    }

    /// Three digits of seconds or milliseconds are more than anybody reads.
    private static func text(_ microseconds: Int) -> String {
        switch microseconds {
        case ..<1_000: return "<1 ms"
        case ..<1_000_000: return "\((microseconds + 500) / 1000) ms"
        default:
            let tenths = (microseconds + 50_000) / 100_000
            return tenths < 1000 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
        }
    }
}
