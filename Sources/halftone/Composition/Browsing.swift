import Browser
import Gallery
import Pipeline
import Raster
import Terminal

/// A run on the screen: the view model, the terminal, and what the end of it means.
@MainActor struct Browsing {
    let options: Options
    let sources: [Source]
    let parts: Composition

    func run(notes: [String]) -> Int32 { 0 }
}
