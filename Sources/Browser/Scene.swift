public import Raster
public import Thumbnails

/// One frame as described by the view model: the position of each element in cells, and its state; independent of drawing.
///
/// Row 0 is the top line, the last row is the bottom line, and the body is between them.
public struct Scene: Hashable, Sendable {
    /// The size of the screen.
    public var size: CellSize
    /// The line at the top.
    public var top: TopLine
    /// The line at the bottom.
    public var bottom: BottomLine
    /// Whether the top and bottom lines are hidden, the latter only while it has nothing to say.
    public var hidesBars = false
    /// The title of the terminal's window; nil for the path of the top line and the program's name.
    public var title: String?
    /// The content between the top and bottom lines.
    public var body: Body
    /// The overlay on the body, if any.
    public var overlay: Overlay?
    /// The phase of all spinners, advanced by one per tick; nil if animations are off, in which case text replaces spinners.
    public var spinnerPhase: Int?

    /// Returns the rows of the content on a screen of `size`.
    public static func body(of size: CellSize, hidesBars: Bool) -> CellRect {
        let bar = hidesBars ? 0 : 1
        return CellRect(x: 0, y: bar, columns: size.columns, rows: max(1, size.rows - 2 * bar))
    }

    /// The title of the terminal's window.
    public var windowTitle: String {
        title ?? (top.path.isEmpty ? "" : top.path.joined(separator: " › ") + " – ") + "Halftone"
    }

    /// The content between the top and bottom lines; `tooSmall` if there is only room for a text.
    public enum Body: Hashable, Sendable {
        case gallery(GalleryScene)
        case viewer(ViewerScene)
        case tooSmall(String)
    }

    /// An overlay on the body.
    public enum Overlay: Hashable, Sendable {
        case dialog(DialogScene)
        case help(HelpScene)
        case info(InfoScene)
    }
}

/// The top line.
public struct TopLine: Hashable, Sendable {
    /// The titles of the open galleries and the section, outermost first, on the left; the last ones are kept if room is short.
    public var path: [String]
    /// The section's picture count ("96 pictures", "48+ pictures"), on the right.
    public var count: String
}

/// The bottom line.
public struct BottomLine: Hashable, Sendable {
    /// The position, on the left: "12/240", "12/240 · 1 of 2" with several sections, "12/240 · 3 marked"; empty without pictures.
    public var position = ""
    /// The selected picture's title, or the line being typed.
    public var label = ""
    /// The part of the label before the cursor while it is being typed.
    public var lead: String?
    /// Whether a page is loading, which shows a spinner.
    public var isLoading = false
    /// The number of picture transfers in flight; hidden if 0.
    public var transfers = 0
    /// How much of the viewer's picture has arrived ("1.2 of 4.8 MB"); empty unless it is being transferred.
    public var progress = ""
    /// Pixels, bytes, zoom and date of the viewer's picture, after the label; the last ones are dropped if room is short.
    public var facts: [String] = []
    /// The last message, shown in place of the label.
    public var message = ""
    /// A short reminder of a key, on the right ("? help"); dropped if room is short.
    public var hint = ""
    /// Whether the viewer's picture is marked.
    public var isMarked = false
}

/// The visible part of the grid or list.
public struct GalleryScene: Hashable, Sendable {
    /// The gallery row at the top of the body; lets the view scroll rows that it has already drawn.
    public var scrollRow: Int
    /// The visible elements from top to bottom; their frames are in screen cells and may extend beyond the body, which clips them.
    public var elements: [Element]
    /// The preview of the selected picture beside a list, if there is room for it.
    public var pane: PaneScene?
    /// An element of the gallery.
    public enum Element: Hashable, Sendable {
        /// A section's header, one row high.
        case header(HeaderScene, CellRect)
        /// A thumbnail above its title, which is the last row of the frame.
        case tile(TileScene, CellRect)
        /// A thumbnail box of the given width with text lines to its right; a single line of text if the width is 0.
        case row(TileScene, thumbnailColumns: Int, CellRect)
        /// A line in place of pictures: "loading…", "no pictures", or an error.
        case note(String, isFailure: Bool, CellRect)
    }
}

/// A section's header.
public struct HeaderScene: Hashable, Sendable {
    /// The section's title.
    public var title: String
    /// "24 pictures", "loading", "failed".
    public var detail: String
    /// Whether the section is loading, which shows a spinner.
    public var isLoading: Bool
}

/// The state of a picture, and its cells once ready.
public enum PictureScene: Hashable, Sendable {
    /// Not requested yet or loading: placeholder art, with a spinner if `isLoading`.
    case placeholder(isLoading: Bool)
    /// Failed: placeholder art with a mark.
    case failed
    /// Drawn.
    case ready(Thumbnail)
}

/// A picture in the grid or list.
public struct TileScene: Hashable, Sendable {
    /// The state of its thumbnail.
    public var picture: PictureScene
    /// Its title; in the list, followed by its address.
    public var lines: [String]
    /// In the list: pixels, bytes and date; empty if unknown.
    public var details: [String] = []
    /// In the list: why the picture is missing.
    public var failure: String?
    /// Whether it is selected.
    public var isSelected: Bool
    /// Whether it is an album.
    public var isAlbum: Bool
    /// Whether it is marked.
    public var isMarked = false
    /// Whether it is new in a followed gallery.
    public var isNew = false
    /// Whether it is shown although it does not belong to the gallery.
    public var isRejected = false
    /// Whether only the top of a strip is shown.
    public var showsOnlyTop = false
    /// Whether the same picture of this machine is as large as the one of the web; nil if there is none.
    public var isAsLargeHere: Bool?
    /// Whether the picture is animated in the viewer, or a video.
    public var isAnimated = false
    /// The duration of a video, with a space after it.
    public var duration = ""
}

/// The preview of the selected picture beside the list.
public struct PaneScene: Hashable, Sendable {
    /// The state of the picture.
    public var picture: PictureScene
    /// The box of the picture.
    public var frame: CellRect
    /// The description below the picture, to be wrapped; the title is first.
    public var lines: [String]
    /// Why the picture is missing.
    public var failure: String?
}

/// One picture that fills the body.
public struct ViewerScene: Hashable, Sendable {
    /// The full picture, or the thumbnail that stands in for it.
    public var picture: PictureScene
    /// The screen area in which the cells are centred if they do not fill the body.
    public var frame: CellRect
    /// Whether the full picture is still loading.
    public var isLoading: Bool
    /// The other pictures shown with it, beside or below.
    public var others: [FramedScene] = []
    /// Why the full picture failed, if it did.
    public var failure: String?
    /// The visible part of the picture; nil while all of it is visible.
    public var map: MapScene?
    /// The filmstrip of neighbouring pictures at the bottom.
    public var filmstrip: [FramedScene] = []
}

/// An overview map: the whole picture as a plain area, with its visible part.
public struct MapScene: Hashable, Sendable {
    /// The position on the screen.
    public var frame: CellRect
    /// The visible part, in fractions of the picture.
    public var part: UnitRect
}

/// Another picture in the viewer, or one in the filmstrip.
public struct FramedScene: Hashable, Sendable {
    /// The state of the picture.
    public var picture: PictureScene
    /// The screen area in which its cells are centred; in the filmstrip one cell around it is free for the selection's border.
    public var frame: CellRect
    /// Whether it is the picture of the filmstrip that the viewer shows.
    public var isSelected = false
}

/// A question and its answers.
public struct DialogScene: Hashable, Sendable {
    /// The heading.
    public var title: String
    /// The reason as a sentence, to be wrapped.
    public var message: String
    /// The address concerned, truncated in the middle if it is too long.
    public var detail: String
    /// The answers.
    public var answers: [Answer]

    /// The title of an answer and the key that selects it ("Retry", "Enter").
    public struct Answer: Hashable, Sendable {
        /// The title.
        public var title: String
        /// The key's name.
        public var key: String
    }
}

/// The help: all keys in the key map, or the messages so far.
public struct HelpScene: Hashable, Sendable {
    /// The heading of the panel.
    public var title = "Keys"
    /// The groups of commands, in order.
    public var groups: [Group]
    /// The number of rows scrolled off the top.
    public var scrollRow: Int

    /// A group of commands under a heading.
    public struct Group: Hashable, Sendable {
        /// The heading.
        public var title: String
        /// The commands.
        public var rows: [Row]
    }

    /// The keys of one command ("h ←") and its description.
    public struct Row: Hashable, Sendable {
        /// The keys' names.
        public var keys: String
        /// What the command does.
        public var text: String
        /// Whether the row matches the search; nil if it does not.
        public var find: Find?
    }

    /// A row that matches the search; `hit` is the current match.
    public enum Find: Hashable, Sendable {
        case found, hit
    }
}

/// The info panel of the selected picture.
public struct InfoScene: Hashable, Sendable {
    /// The heading.
    public var title: String
    /// The panel's frame beside the picture; nil if it covers a corner of the screen.
    public var frame: CellRect?
    /// The facts in order, to be wrapped.
    public var facts: [Fact]

    /// A label and its value ("Size", "1200 × 800").
    public struct Fact: Hashable, Sendable {
        /// The label.
        public var label: String
        /// The value.
        public var value: String
        /// A colour to show beside it.
        public var swatch: RGB?
    }
}
