import Pipeline
import Raster

/// What a reduced picture on disk depends on: the bytes of its file, what was made of them, and by which code.
struct DerivedKey: Hashable, Sendable {
    /// Raise this whenever decoding, shrinking, `Reduction` or the form of `DerivedEntry` changes what comes out: what older code made is then
    /// no longer found, and goes as the least recently used.
    private static let decoderVersion = 1

    var content: ContentHash
    var reduction: Reduction
    /// Whether it comes from a smaller picture embedded in the file.
    var isEmbedded = false

    /// The key in the disk cache.
    var text: String {
        let size =
            switch reduction {
            case .whole(let box, let aspect): "whole \(box.columns)x\(box.rows) \(aspect)"
            case .detail(let side): "detail \(side)"
            }
        return "derived \(Self.decoderVersion) \(content.text) \(size)"
            + (isEmbedded ? " embedded" : "")
    }
}
