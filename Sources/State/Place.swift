import Basics

/// Where a reader is or was in a gallery.
///
/// One from the database is as hostile as a page: its addresses must be parsed before they are used.
public struct Place: Hashable, Sendable {
    /// The address of the gallery's first page, folder or archive.
    public var gallery: String
    /// The gallery's title, as one harmless line.
    public var title = ""
    /// The address of the picture's largest image.
    public var picture = ""
    /// The address of the picture's smallest size, for a cover.
    public var thumbnail = ""
    /// The picture's caption, as one harmless line.
    public var caption = ""
    /// The picture's number in the gallery, from 1.
    public var number = 1
    /// How it was being viewed, in the view model's words; empty for the default.
    public var view = ""

    /// Creates the place of a gallery's first picture.
    public init(gallery: String) { self.gallery = gallery }

    /// The names of the columns that hold a place, in the order of `texts`.
    static let columns = "gallery, title, picture, thumbnail, caption, number, view"

    /// Creates a place from the first columns of a row.
    init(row: [String]) {
        gallery = row[0]
        title = row[1].oneLine()
        picture = row[2]
        thumbnail = row[3]
        caption = row[4].oneLine()
        number = max(1, Int(bounded: row[5]) ?? 1)
        view = row[6]
    }

    /// The values of the columns.
    var texts: [String] { [gallery, title, picture, thumbnail, caption, String(number), view] }
}
