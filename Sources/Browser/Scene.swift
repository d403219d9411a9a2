public import Raster
public import Thumbnails

/// One frame, as the view model wants it seen: where each thing is, in cells, and in what state; knows nothing of drawing.
///
/// Row 0 is the top line, the last row the bottom line, the body between them.
public struct Scene: Hashable, Sendable {
    /// The screen.
    public var size: CellSize
    /// The line at the top.
    public var top: TopLine
    /// The line at the bottom.
    public var bottom: BottomLine
    /// What fills the rows between.
    public var body: Body
    /// What covers the body, if anything.
    public var overlay: Overlay?
    /// The phase of every spinner; grows by one a tick; nil where nothing may move: words tell then what goes on.
    public var spinnerPhase: Int?

    /// What the terminal's window is called: the bar's path and the program.
    public var windowTitle: String {
        (top.path.isEmpty ? "" : top.path.joined(separator: " › ") + " – ") + "Halftone"
    }

    /// What fills the rows between top and bottom line; `tooSmall` where there is room for its text only.
    public enum Body: Hashable, Sendable {
        case gallery(GalleryScene)
        case viewer(ViewerScene)
        case tooSmall(String)
    }

    /// What covers the body.
    public enum Overlay: Hashable, Sendable {
        case dialog(DialogScene)
        case help(HelpScene)
        case info(InfoScene)
    }
}

/// The line at the top.
public struct TopLine: Hashable, Sendable {
    /// The galleries opened from one another and the section, the outermost first, left; where room is short, the last ones stay.
    public var path: [String]
    /// The section's count ("96 pictures", "48+ pictures"), right.
    public var count: String
}

/// The line at the bottom.
public struct BottomLine: Hashable, Sendable {
    /// "12/240", "12/240 · 1 of 2" where there are several sections, "12/240 · 3 marked", left; empty without pictures.
    public var position = ""
    /// The selected picture's title, or what is being typed.
    public var label = ""
    /// The label up to the cursor, if it is being typed.
    public var lead: String?
    /// Whether a page is loading: shows a spinner.
    public var isLoading = false
    /// Picture transfers in flight; shown unless 0.
    public var transfers = 0
    /// How much of the viewer's picture has come ("1.2 of 4.8 MB"); empty unless it is on its way.
    public var progress = ""
    /// In the viewer: pixels, bytes, zoom and date of the picture, after the label; the last ones are left out where there is no room.
    public var facts: [String] = []
    /// The last message; takes the label's place while it stands.
    public var message = ""
    /// A short reminder of keys, right ("? help"); left out where there is no room.
    public var hint = ""
}

/// Grid or list: what is visible of it.
public struct GalleryScene: Hashable, Sendable {
    /// The gallery's row at the top of the body: lets the view scroll what it has already drawn.
    public var scrollRow: Int
    /// The visible elements from top to bottom; frames are in screen cells and may stick out of the body, which clips them.
    public var elements: [Element]
    /// The selected picture beside a list that leaves room for it.
    public var pane: PaneScene?
    /// Something with a place in the gallery.
    public enum Element: Hashable, Sendable {
        /// A section's header, one row.
        case header(HeaderScene, CellRect)
        /// A thumbnail over its title; the title is the frame's last row.
        case tile(TileScene, CellRect)
        /// A thumbnail in a box of so many columns, and its lines on the right of it; without columns one line of text.
        case row(TileScene, thumbnailColumns: Int, CellRect)
        /// A line in the place of pictures: "loading…", "no pictures", the reason of a failure.
        case note(String, isFailure: Bool, CellRect)
    }
}

/// A section's header.
public struct HeaderScene: Hashable, Sendable {
    /// The section's title.
    public var title: String
    /// "24 pictures", "loading", "failed".
    public var detail: String
    /// Whether the section loads: shows a spinner.
    public var isLoading: Bool
}

/// A picture's state, and its cells once there.
public enum PictureScene: Hashable, Sendable {
    /// Not asked for yet, or on its way: placeholder art, with a spinner if `isLoading`.
    case placeholder(isLoading: Bool)
    /// Placeholder art with a mark.
    case failed
    /// Drawn.
    case ready(Thumbnail)
}

/// A picture of grid or list.
public struct TileScene: Hashable, Sendable {
    /// Its thumbnail.
    public var picture: PictureScene
    /// Its title, in the list followed by the address.
    public var lines: [String]
    /// In the list: pixels, bytes and date; empty where unknown.
    public var details: [String] = []
    /// In the list: why there is no picture.
    public var failure: String?
    /// Whether it is selected.
    public var isSelected: Bool
    /// Whether it is an album.
    public var isAlbum: Bool
    /// Whether it is marked.
    public var isMarked = false
    /// Whether it moves in the viewer.
    public var isAnimated = false
}

/// The selected picture beside the list.
public struct PaneScene: Hashable, Sendable {
    /// The picture, and where it goes.
    public var picture: PictureScene
    /// The box of the picture.
    public var frame: CellRect
    /// What is known of it, to be wrapped below the picture, the title first.
    public var lines: [String]
    /// Why there is no picture.
    public var failure: String?
}

/// One picture over the whole body.
public struct ViewerScene: Hashable, Sendable {
    /// The picture: the full one, or the thumbnail that stands in for it.
    public var picture: PictureScene
    /// Where its cells go if they do not fill the body: centred in this rectangle of the screen.
    public var frame: CellRect
    /// Whether the full picture is still on its way.
    public var isLoading: Bool
    /// Why the full picture failed, if it did.
    public var failure: String?
    /// Which part of the picture is seen; nil while all of it is.
    public var map: MapScene?
    /// The pictures around it, at the bottom.
    public var strip: [StripScene] = []
}

/// A picture in small as a plain area, with the part of it that is seen.
public struct MapScene: Hashable, Sendable {
    /// Where it is.
    public var frame: CellRect
    /// The part that is seen, as fractions.
    public var part: UnitRect
}

/// A picture of the filmstrip.
public struct StripScene: Hashable, Sendable {
    /// Its thumbnail.
    public var picture: PictureScene
    /// Where it is; one cell around it is free for the frame of the selected one.
    public var frame: CellRect
    /// Whether it is the one that is seen large.
    public var isSelected: Bool
}

/// A question with its answers.
public struct DialogScene: Hashable, Sendable {
    /// The heading.
    public var title: String
    /// The reason, in plain words; to be wrapped.
    public var message: String
    /// The address concerned, to be cut in the middle.
    public var detail: String
    /// The answers.
    public var answers: [Answer]

    /// What an answer is called and the key that gives it ("Retry", "Enter").
    public struct Answer: Hashable, Sendable {
        /// What it is called.
        public var title: String
        /// The key's name.
        public var key: String
    }
}

/// All keys, from the key map.
public struct HelpScene: Hashable, Sendable {
    /// One group of commands after the other.
    public var groups: [Group]
    /// Rows scrolled away at the top.
    public var scrollRow: Int

    /// Commands under a heading.
    public struct Group: Hashable, Sendable {
        /// The heading.
        public var title: String
        /// The commands.
        public var rows: [Row]
    }

    /// The keys of a command ("h ←"), and what they do.
    public struct Row: Hashable, Sendable {
        /// The keys' names.
        public var keys: String
        /// What they do.
        public var text: String
        /// Whether it holds what is sought; nil if not.
        public var find: Find?
    }

    /// What holds what is sought, and the one of them that was gone to.
    public enum Find: Hashable, Sendable {
        case found, hit
    }
}

/// What is known of the selected picture.
public struct InfoScene: Hashable, Sendable {
    /// The heading.
    public var title: String
    /// Where they stand beside the picture; nil where they cover a corner of the screen.
    public var frame: CellRect?
    /// The facts, in order, to be wrapped.
    public var facts: [Fact]

    /// A label and its value ("Size", "1200 × 800").
    public struct Fact: Hashable, Sendable {
        /// What it is.
        public var label: String
        /// What is known of it.
        public var value: String
        /// A colour to show beside it.
        public var swatch: RGB?
    }
}
