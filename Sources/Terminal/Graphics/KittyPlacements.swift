import Raster

/// Pictures in kitty's graphics protocol with explicit placements, which lie over the cells.
final class KittyPlacements: PixelProtocol {
    /// A part of a picture on the screen.
    private struct Place: Hashable {
        var id: UInt32
        var cells: CellRect
        /// The pixels shown there.
        var x, y, width, height: Int
    }

    var pictures = KittyPictures()
    /// The parts on the screen, with their numbers.
    private var places: [Place: Int] = [:]
    private var lastNumber = 0
    private var frame = 0

    let afterCut = KittyPictures.afterCut

    /// Sends nothing to a screen that is erased afterwards: kitty would free it, as it has no placement yet.
    func admit(_ placed: PlacedPicture, on canvas: Canvas, in frame: PixelFrame) -> PixelAdmission {
        pictures.admit(
            placed, to: frame, keys: "a=t,i=\(placed.id)",
            hasRoom: frame.hasRoom && !frame.isCleared)
    }

    func endAdmission(to frame: PixelFrame) -> [UInt8] {
        self.frame = frame.number
        return []
    }

    func reset() -> [UInt8] {
        places = [:]
        return pictures.reset()
    }

    func finish() { pictures.finish() }

    /// Shows the parts of pictures that the cells of `canvas` specify, and removes all others.
    func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8] {
        var bytes: [UInt8] = []
        var kept: [Place: Int] = [:]
        for placed in canvas.pictures where pictures.holds(placed.id) {
            for place in Self.places(of: placed, on: canvas) {
                if let number = places.removeValue(forKey: place) {
                    kept[place] = number
                    continue
                }
                lastNumber += 1
                kept[place] = lastNumber
                bytes += TerminalSequence.move(x: place.cells.x, y: place.cells.y)
                bytes += KittyPictures.command(
                    """
                    a=p,i=\(place.id),p=\(lastNumber),x=\(place.x),y=\(place.y),w=\(place.width),\
                    h=\(place.height),c=\(place.cells.columns),r=\(place.cells.rows),C=1,q=2
                    """)
            }
        }
        // Old placements go last, so that a moving picture is always visible.
        for (place, number) in places {
            bytes += KittyPictures.command("a=d,d=i,i=\(place.id),p=\(number),q=2")
        }
        places = kept
        // With one picture kitty frees all that have no placement, so this must follow the new ones.
        let freed = pictures.makeRoom(in: frame)
        if !freed.isEmpty { pictures.keepOnly(Set(kept.keys.map(\.id))) }
        return bytes + freed
    }

    private static func places(of placed: PlacedPicture, on canvas: Canvas) -> [Place] {
        let size = placed.picture.size
        let cells = placed.picture.cells
        return canvas.parts(of: placed).map { part in
            let left = part.x - placed.frame.x
            let top = part.y - placed.frame.y
            let x = left * size.width / cells.columns
            let y = top * size.height / cells.rows
            let right = (left + part.columns) * size.width / cells.columns
            let bottom = (top + part.rows) * size.height / cells.rows
            return Place(
                id: placed.id, cells: part, x: x, y: y, width: right - x, height: bottom - y)
        }
    }
}
