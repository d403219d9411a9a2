import Raster

/// Pictures in kitty's placeholders that are passed through tmux to its terminal.
///
/// They stay there whatever is shown meanwhile: kitty frees the oldest itself, and reports those it has lost.
final class TmuxPictures: PixelProtocol {
    private var pictures = KittyPictures()
    var transfer = TmuxTransfer()
    /// The pictures of the frame that the terminal does not hold.
    private var missing: [PlacedPicture] = []

    /// Ends a truncated passthrough string even if its last byte was the first of two escape characters.
    let afterCut =
        TerminalSequence.stringEnd + TerminalSequence.stringEnd
        + TerminalSequence.throughTmux(KittyPictures.afterCut)

    func admit(_ placed: PlacedPicture, on canvas: Canvas, in frame: PixelFrame) -> PixelAdmission {
        guard case .png = placed.picture.code, Placeholders.canShow(placed.picture.cells) else {
            return .cells
        }
        if pictures.holds(placed, in: frame.number) { return .pixels(sending: [], cost: 0) }
        missing.append(placed)
        return .cells
    }

    /// Starts to send the first missing picture, unless one of them is in transfer.
    func endAdmission(to frame: PixelFrame) -> [UInt8] {
        defer { missing = [] }
        guard !missing.contains(where: transfer.passes) else { return [] }
        let end = transfer.end()
        guard transfer.mayBegin, let next = missing.first, case .png(let file) = next.picture.code
        else { return end }
        let commands = KittyPictures.transmission(
            of: file, "a=T,\(KittyPictures.virtualPlace(of: next)),f=100")
        return end
            + transfer.begin(next, commands.map(TerminalSequence.throughTmux), at: frame.time)
    }

    func reset() -> [UInt8] { transfer.end() }

    /// Returns the next portion, of about `portion` bytes, once the terminal has read the last one.
    func continueTransfer(at now: Double, portion: Int, frame: Int) -> [UInt8] {
        let (bytes, done) = transfer.noteReply(at: now, portion: portion)
        if let done { pictures.keep(done, in: frame) }
        return bytes
    }

    /// Returns the commands that make the terminal report those of `shown` that it has lost, and only those.
    func recheck(of shown: [PlacedPicture]) -> [UInt8] {
        shown.filter { pictures.holds($0.id) }.flatMap {
            TerminalSequence.throughTmux(
                KittyPictures.command("a=p,\(KittyPictures.virtualPlace(of: $0)),q=1"))
        }
    }

    /// Records that the terminal is another one, which has no pictures.
    func forget() { pictures = KittyPictures() }
}

/// Sends pictures through tmux, which discards output that its terminal is too slow to read: one at a time and in portions, each once the
/// terminal has acknowledged the previous one.
///
/// Replies go to the active pane, so no more than two queries may go without one until a key is pressed in this pane.
struct TmuxTransfer {
    /// The picture in transfer.
    private(set) var picture: PlacedPicture?
    private var commands: ArraySlice<[UInt8]> = []
    /// When the query without a reply was sent, in seconds of a steady clock.
    private var queriedAt: Double?
    private var queriesLeft = Self.maxQueries

    /// The second query is for when the first was discarded with output before it.
    private static let maxQueries = 2
    /// How long to wait for a reply, in seconds; a later one does no harm.
    private static let timeout = 1.0

    /// Until when a reply may arrive; nil if none is expected.
    var lastCall: Double? { queriedAt.map { $0 + Self.timeout } }
    /// When to restart the picture in transfer; nil for never.
    var deadline: Double? { picture == nil || queriesLeft == 0 ? nil : lastCall }
    /// Whether a picture may be started.
    var mayBegin: Bool { queriesLeft > 0 }

    /// Returns whether `placed` is the picture in transfer.
    func passes(_ placed: PlacedPicture) -> Bool {
        picture?.picture.serial == placed.picture.serial
    }

    /// Records a key press, which shows that this pane is the active one.
    mutating func notePaneIsActive() { queriesLeft = Self.maxQueries }

    /// Starts a picture: queries the terminal, and sends `commands` from its reply on.
    mutating func begin(
        _ placed: PlacedPicture, _ commands: [[UInt8]], at now: Double
    ) -> [UInt8] {
        picture = placed
        self.commands = commands[...]
        return query(at: now)
    }

    /// Takes a reply; returns what to send next, of about `portion` bytes, or the picture that has arrived.
    mutating func noteReply(at now: Double, portion: Int) -> (bytes: [UInt8], done: PlacedPicture?)
    {
        queriedAt = nil
        notePaneIsActive()
        var bytes: [UInt8] = []
        while let next = commands.first, bytes.isEmpty || bytes.count + next.count <= portion {
            bytes += next
            commands.removeFirst()
        }
        if !bytes.isEmpty { return (bytes + query(at: now), nil) }
        defer { picture = nil }
        return ([], picture)
    }

    /// Cancels the transfer.
    mutating func end() -> [UInt8] {
        guard picture != nil else { return [] }
        picture = nil
        commands = []
        return TerminalSequence.throughTmux(KittyPictures.endOfPicture)
    }

    private mutating func query(at now: Double) -> [UInt8] {
        queriedAt = now
        queriesLeft -= 1
        return TerminalSequence.throughTmux(TerminalQuery.status)
    }
}
