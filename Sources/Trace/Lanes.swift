/// Which spans are under way, each on a lane (a "thread" in the viewer) that holds one at a time.
///
/// A span takes the lowest free lane of its name; lanes are made when all are taken.
struct Lanes {
    /// Finds a span again; `serial` tells it from a later one on the same lane.
    struct Ticket {
        var lane: Int
        var serial: Int
    }

    struct Open {
        var name: StaticString
        var detail: String
        var start: UInt64
        var serial: Int
    }

    /// The lanes of one name that are free, as indices into `lanes`, and how many there are in all.
    private struct Track {
        var free: [Int] = []
        var count = 0
    }

    private var lanes: [Open?] = []
    private var tracks: [String: Track] = [:]
    private var nextSerial = 0

    /// `newLane` is the number of the lane among those of its name, from 1, if it was made just now.
    mutating func begin(
        _ name: StaticString, detail: String, at start: UInt64
    ) -> (ticket: Ticket, newLane: Int?) {
        var track = tracks[name.description, default: Track()]
        defer { tracks[name.description] = track }
        nextSerial += 1
        let open = Open(name: name, detail: detail, start: start, serial: nextSerial)
        if let lowest = track.free.indices.min(by: { track.free[$0] < track.free[$1] }) {
            let lane = track.free.remove(at: lowest)
            lanes[lane] = open
            return (Ticket(lane: lane, serial: nextSerial), nil)
        }
        track.count += 1
        lanes.append(open)
        return (Ticket(lane: lanes.count - 1, serial: nextSerial), track.count)
    }

    /// The span, which leaves its lane; nil if it has ended before.
    mutating func end(_ ticket: Ticket) -> Open? {
        guard let open = lanes[ticket.lane], open.serial == ticket.serial else { return nil }
        lanes[ticket.lane] = nil
        tracks[open.name.description]?.free.append(ticket.lane)
        return open
    }

    /// Tickets of every span under way.
    var open: [Ticket] {
        lanes.enumerated().compactMap { lane, open in
            open.map { Ticket(lane: lane, serial: $0.serial) }
        }
    }
}
