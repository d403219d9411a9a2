import Pipeline
import Trace

extension BrowserModel {
    /// Tells the loader which thumbnails are seen, near, and gone.
    func requestTiles() {
        let now = clock()
        let rows = level.visibleRows
        let ground = Travel.Ground(gallery: ObjectIdentifier(level), metrics: level.metrics)
        switch travel.observe(row: rows.lowerBound, screen: rows.count, on: ground, at: now) {
        case .none: break
        case .begun, .turned: reach = Reach()
        case .moved: adaptReach(to: rows)
        }
        let window = PictureWindow(
            layout: level.layout, visible: rows, selected: level.selectedNumberNow,
            direction: level.direction,
            rowsAhead: Int((reach.screens * Double(rows.count)).rounded(.up)))
        let wants = window.wants.compactMap { want in
            tileWant(level.id(ofPicture: want.picture), priority: want.priority)
        }
        tiles.update(wants, restDue: travel.restDue(at: now))
        settleDue = tiles.settleDue
    }

    private func adaptReach(to rows: Range<Int>) {
        let measures = Reach.Measures(
            speed: travel.speed, latency: tiles.latency.expected,
            picturesPerScreen: level.layout.pictures(in: rows).count,
            bytesPerPicture: tiles.bytesPerPicture)
        guard reach.adapt(to: measures) else { return }
        tracer.count("screens ahead x10", Int(reach.screens * 10))
        tracer.mark("window", detail: reach.reason(measures))
    }

    /// Tells the loader what the viewer shows, and what lies next to it; one picture is a screen.
    func requestFull(_ wants: [PictureRequests.Want], number: Int) -> Double? {
        let now = clock()
        let ground = Travel.Ground(gallery: ObjectIdentifier(level), metrics: nil)
        _ = turning.observe(row: number, screen: 1, on: ground, at: now)
        let restDue = turning.restDue(at: now)
        full.update(wants, restDue: restDue)
        return restDue
    }

    /// When `update` has something to do although nothing has happened, in seconds of a steady clock: pictures will
    /// have been seen for long enough to be asked for; nil if none waits for that.
    public var updateDue: Double? { settleDue }

    /// When the viewer's animation goes on, in seconds of a steady clock; nil while it stands still.
    public var frameDue: Double? { playback?.due }

    /// Shows the animation's next frame if it is due; tells the time by the clock of `frameDue`.
    public func showDueFrame(at now: Double) {
        playback?.advance(at: now)
    }
}
