import Raster

/// Pictures as sixels over their blocks, in tmux (3.4 and later).
///
/// tmux keeps sixels, and shows them again with their window and to other clients. But it draws them over cells that have been
/// written since, and drops the oldest one once there are too many in all its panes: then the blocks show.
final class TmuxSixels: PixelProtocol {
    private struct Place: Hashable {
        let id: UInt32
        let frame: CellRect
    }

    /// How many sixels a frame may have; with more than that, it has none, as a mixture with blocks would look broken.
    private let capacity: Int
    /// The pictures that tmux holds.
    private var held: Set<Place> = []
    /// The pictures of the frame.
    private var admitted: [Place: PlacedPicture] = [:]

    let keepsCells = true

    init(capacity: Int) { self.capacity = capacity }

    /// Admits whole pictures only, and none in the last row, where tmux would scroll.
    func admit(_ placed: PlacedPicture, on canvas: Canvas, in frame: PixelFrame) -> PixelAdmission {
        let place = Place(id: placed.id, frame: placed.frame)
        let cells = canvas.pixelCells(of: placed).map(\.index)
        guard case .palette = placed.picture.code, cells.count == placed.frame.size.count,
            placed.frame.bottom < canvas.size.rows,
            canvas.pictures.flatMap(\.picture.sixels).count <= capacity
        else { return .cells }
        if !cells.allSatisfy({ frame.shown.cells[$0] == canvas.cells[$0] }) { held.remove(place) }
        let isHeld = held.contains(place)
        guard isHeld || frame.hasRoom else { return .later }
        admitted[place] = placed
        return .pixels(sending: [], cost: isHeld ? 0 : placed.picture.sentCount)
    }

    func takeStale() -> [CellRect] { held.subtracting(admitted.keys).map(\.frame) }

    /// Sends what tmux does not hold, and what cells have been written over, instead of what it holds there.
    func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8] {
        defer {
            held = Set(admitted.keys)
            admitted = [:]
        }
        return admitted.filter { place, placed in
            !held.contains(place) || canvas.pixelCells(of: placed).contains { wanted[$0.index] }
        }.flatMap { place, placed in
            TerminalSequence.dropSixel(x: place.frame.x, y: place.frame.y)
                + placed.shown(placed.picture.sixels)
        }
    }

    func reset() -> [UInt8] {
        held = []
        return []
    }
}
