import Browser
import Raster

/// Draws scenes.
struct ScenePainter {
    let theme: Theme
    func paint(_ scene: Scene, size: CellSize) -> Canvas {
        Canvas(size: size)
    }
}
