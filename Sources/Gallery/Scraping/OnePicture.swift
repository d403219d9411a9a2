/// Tells a page that is about one picture from a gallery.
enum OnePicture {
    /// A picture this much larger than all others of a page is what the page is about; the others are a strip of thumbnails.
    private static let dominance = 4

    /// Whether one of a page's `pictures` is what the page is about.
    static func isMeant(by pictures: PictureList) -> Bool {
        pictures.count == 1 || isOneDominant(in: Array(pictures))
    }

    /// Whether one is much larger than every other, where all sizes are known.
    private static func isOneDominant(in pictures: [Picture]) -> Bool {
        let areas = pictures.map(area)
        guard let place = areas.indices.max(by: { areas[$0] ?? 0 < areas[$1] ?? 0 }),
            let largest = areas[place]
        else { return false }
        return areas.indices.allSatisfy { other in
            guard other != place else { return true }
            let leadsOn = pictures[other].link != nil || pictures[other].variants.count > 1
            return leadsOn && areas[other].map { $0 * dominance <= largest } ?? false
        }
    }

    private static func area(_ picture: Picture) -> Int? {
        guard let width = picture.width, let height = picture.height else { return nil }
        return width * height
    }
}
