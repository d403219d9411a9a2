/// One picture of the gallery: what is on it, and what its page says about it.
struct Plate: Sendable {
    /// The proportions of a picture.
    enum Shape: Sendable {
        /// 3:2.
        case landscape
        /// 4:3.
        case classic
        /// 16:9.
        case wide
        /// 21:9.
        case panorama
        /// 1:1.
        case square
        /// 2:3, upright.
        case portrait
        /// 3:4, upright.
        case upright
    }

    /// The file format; the raw value is the file's extension.
    enum Format: String, Sendable {
        case jpeg = "jpg"
        case png
        case webp
        case gif
    }

    var title: String
    /// ISO 8601.
    var date: String
    var shape: Shape
    var format: Format
    /// What is to be seen, for readers who see no pictures.
    var caption: String
    /// The picture; several are the frames of an animation.
    var frames: [any Motif]

    init(
        _ title: String, _ date: String, _ shape: Shape, as format: Format = .jpeg,
        _ caption: String, _ frames: any Motif...
    ) {
        self.title = title
        self.date = date
        self.shape = shape
        self.format = format
        self.caption = caption
        self.frames = frames
    }

    /// The title as it stands in file names.
    var slug: String {
        let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.joined(separator: "-")
    }

    /// Chance starts here: from the title, so that a picture stays as it is when others come or go.
    var seed: Seed {
        Seed(title.utf8.reduce(17) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF })
    }

    /// The widths in which it is offered, pixels, smallest first; cut-outs and animations are dearer, so smaller.
    var widths: [Int] {
        switch format {
        case .png: return isUpright ? [96, 192, 384] : [128, 256, 512]
        case .gif: return [80, 160, 280]
        case .jpeg, .webp:
            if shape == .panorama { return [180, 420, 960] }
            return isUpright ? [120, 270, 560] : [150, 360, 840]
        }
    }

    /// The height at a width of `width` pixels.
    func height(_ width: Int) -> Int {
        let (across, down) = shape.ratio
        return (width * down + across / 2) / across
    }

    /// The name of the file of a given width, inside the folder of the gallery.
    func path(_ width: Int) -> String { "photos/\(slug)-\(width).\(format.rawValue)" }

    /// Whether it is higher than wide.
    var isUpright: Bool { shape == .portrait || shape == .upright }
}

extension Plate.Shape {
    /// Width to height.
    var ratio: (Int, Int) {
        switch self {
        case .landscape: return (3, 2)
        case .classic: return (4, 3)
        case .wide: return (16, 9)
        case .panorama: return (21, 9)
        case .square: return (1, 1)
        case .portrait: return (2, 3)
        case .upright: return (3, 4)
        }
    }
}
