/// Which picture, whatever is inserted before it: its section and its place in the order of loading.
struct PictureID: Hashable, Sendable {
    /// The section's `id`.
    var section: Int
    /// The picture's place among those its section has loaded, from 0.
    var index: Int
}
