import Pipeline

/// Which pictures around the screen are wanted, and how urgently: what is seen first, then a screen ahead, then one
/// behind.
///
/// One screen ahead is enough to scroll at a reader's pace without placeholders, and little to give up when the
/// direction changes.
struct PictureWindow {
    /// The pictures wanted, most urgent first.
    private(set) var wants: [(picture: Int, priority: Priority)] = []

    /// Works the window out for a gallery whose body shows `visible` rows.
    init(layout: GalleryLayout, visible: Range<Int>, selected: Int?, direction: Int) {
        let below = visible.upperBound..<visible.upperBound + visible.count
        let above = max(0, visible.lowerBound - visible.count)..<visible.lowerBound
        let (ahead, behind) = direction > 0 ? (below, above) : (above, below)
        let seen = layout.pictures(in: visible)
        if let selected, seen.contains(selected) {
            wants.append((selected, .urgent))
        }
        for picture in seen where picture != selected {
            wants.append((picture, .visible))
        }
        append(layout.pictures(in: ahead), outside: seen, at: .prefetch)
        append(layout.pictures(in: behind), outside: seen, at: .idle)
    }

    private mutating func append(
        _ pictures: Range<Int>, outside seen: Range<Int>, at priority: Priority
    ) {
        for picture in pictures where !seen.contains(picture) {
            wants.append((picture, priority))
        }
    }
}
