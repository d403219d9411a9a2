import Basics
import Gallery
import Raster
import Thumbnails

/// What the bottom line says of the picture in the viewer.
extension ViewerModel {
    /// Block pixels per picture pixel when the picture fits the screen; nil while its size is unknown.
    var fittingScale: Double? {
        level.selection.flatMap(pictureSize).map {
            let fit = Fit($0, into: area.size, style: display.style)
            let seen = display.style.pixels?.size(of: fit.cells) ?? fit.pixels
            return Double(seen.width) / Double($0.width)
        }
    }

    /// Pixels, bytes, zoom and date for the bottom line.
    var facts: [String] {
        guard let id = level.selection, let picture = level.picture(id) else { return [] }
        let own =
            full.facts(of: id, at: picture.largest)
            ?? gallery.tiles.facts(of: id, at: picture.largest)
        var details = picture.details(facts: own, context.texts)
        if pairing != .strip, let scale = fittingScale {
            let percent = Int(bounded: (scale * zoom.factor * 100).rounded()) ?? 0
            details.insert("\(max(1, percent)) %", at: 2)
        }
        return details.filter { !$0.isEmpty }
    }
}
