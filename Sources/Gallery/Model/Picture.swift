public import Basics
public import Network

/// A picture (or album) of a gallery, as its page describes it.
///
/// None of it has been fetched.
public struct Picture: Hashable, Sendable {
    /// Whether this is a picture or an album; the raw value appears in `--json`.
    public enum Kind: String, Sendable {
        case picture
        /// A gallery of its own, opened with Enter.
        case album
    }

    /// One of the sizes in which a picture is available.
    public struct Variant: Hashable, Sendable {
        /// The address.
        public var address: Address
        /// The width in pixels, as far as known, or claimed by the page.
        public var width: Pixels?
        /// The height in pixels, likewise.
        public var height: Pixels?

        /// The width for comparing variants; an unknown one counts as the smallest.
        var comparedWidth: Int { width?.count ?? 0 }

        /// Creates a variant.
        public init(address: Address, width: Pixels? = nil, height: Pixels? = nil) {
            self.address = address
            self.width = width
            self.height = height
        }
    }

    /// What a camera, and whoever rated it, wrote into a picture's file.
    public struct Camera: Hashable, Sendable {
        /// The date taken in ISO 8601, without a time zone.
        public var taken: String?
        /// The maker and model.
        public var model: String?
        /// The lens.
        public var lens: String?
        /// The sensitivity, as an ISO number.
        public var sensitivity: Int?
        /// The stars that people gave it.
        public var rating: Int?

        /// Creates a value.
        public init(
            taken: String? = nil, model: String? = nil, lens: String? = nil,
            sensitivity: Int? = nil, rating: Int? = nil
        ) {
            self.taken = taken
            self.model = model
            self.lens = lens
            self.sensitivity = sensitivity
            self.rating = rating
        }

        /// Parses `text`; nil if it is empty.
        init?(text: some StringProtocol) {
            let parts = text.split(separator: "\t", omittingEmptySubsequences: false).map {
                $0.isEmpty ? nil : String($0)
            }
            guard parts.count == 5 else { return nil }
            self.init(
                taken: parts[0], model: parts[1], lens: parts[2],
                sensitivity: parts[3].flatMap { Int(bounded: $0) },
                rating: parts[4].flatMap { Int($0) })
        }

        /// All fields by their names in records; nil if unknown.
        var fields: PictureRecord.Values {
            [
                ("taken", taken), ("camera", model), ("lens", lens),
                ("iso", sensitivity.map(String.init)), ("rating", rating.map(String.init)),
            ]
        }

        /// All fields, separated by tabs.
        var text: String { fields.map { $0.value ?? "" }.joined(separator: "\t") }
    }

    /// The available sizes below the largest, smallest first; most pictures of long lists have only one size, which then takes no array.
    private var smallerVariants: [Variant]
    /// The largest size that the page names.
    var lastVariant: Variant
    /// The address of the detail page or album.
    public var link: Address?
    /// The page that the picture was found on.
    public var page: Address
    /// The title: one line of valid text without control characters; empty if unknown.
    public var title: String
    var moment: Moment?
    /// The width of the full-size picture in pixels, if its file or the gallery's data say so; sizes in markup and file names are only
    /// claims, kept in the variants.
    public var width: Pixels?
    /// Its height in pixels, likewise.
    public var height: Pixels?
    /// The size of the file in bytes, if a listing or folder reports it.
    public var byteCount: Int?
    /// Whether this is a picture or an album.
    public var kind: Kind
    /// Whether the page that it was found on names its full size, so that there is no need to search elsewhere.
    public var isFullKnown = false
    /// Whether it is on a page of a followed gallery and was not seen before.
    public var isNew = false
    /// Whether it is only shown as everything on its page is; the summary is the reason why it would not be.
    public var isRejected = false
    /// A date; that of a file, of which there may be a million, takes no text.
    enum Moment: Hashable {
        case secondsSince1970(Int)
        case text(String)
    }

    /// The date in ISO 8601.
    public var date: String? {
        get {
            switch moment {
            case .secondsSince1970(let seconds): FolderEntry.isoDate(secondsSince1970: seconds)
            case .text(let text): text
            case nil: nil
            }
        }
        set { moment = newValue.map(Moment.text) }
    }

    /// What few pictures have; empty if it has nothing of it, so that the others of a million take less memory.
    private var rest: [Fields] = []

    private struct Fields: Hashable {
        var summary: String?
        var camera: Camera?
        var twin: IndexedPicture?
        var full: Variant?
        var isFullGuessed = false
        var others: [String: String] = [:]
    }

    private var fields: Fields {
        get { rest.first ?? Fields() }
        set { rest = newValue == Fields() ? [] : [newValue] }
    }

    /// A longer description.
    public var summary: String? {
        get { fields.summary }
        set { fields.summary = newValue }
    }
    /// What the file says of the camera; nil if it has not been read, or says nothing.
    public var camera: Camera? {
        get { fields.camera }
        set { fields.camera = newValue }
    }
    /// The picture on this machine that looks the same, as far as one has been found: among local pictures, the largest of those alike.
    public var twin: IndexedPicture? {
        get { fields.twin }
        set { fields.twin = newValue }
    }
    /// The full size, once found behind the link or at a guessed address; only the viewer requests it.
    public var full: Variant? {
        get { fields.full }
        set { fields.full = newValue }
    }
    /// Whether `full` was guessed from the thumbnail's address and then confirmed.
    public var isFullGuessed: Bool {
        get { fields.isFullGuessed }
        set { fields.isFullGuessed = newValue }
    }
    /// What a record says besides, by its keys.
    public var others: [String: String] {
        get { fields.others }
        set { fields.others = newValue }
    }
    /// The available sizes, smallest first: the first is the thumbnail, the last the largest known.
    ///
    /// Never empty.
    public var variants: [Variant] {
        get { smallerVariants + [lastVariant] }
        set {
            smallerVariants = Array(newValue.dropLast())
            lastVariant = newValue[newValue.count - 1]
        }
    }

    /// Creates a picture; `variants` must not be empty.
    public init(
        variants: [Variant], link: Address? = nil, page: Address, title: String,
        summary: String? = nil,
        date: String? = nil, width: Pixels? = nil, height: Pixels? = nil, byteCount: Int? = nil,
        kind: Kind = .picture
    ) {
        precondition(!variants.isEmpty, "a picture is somewhere")
        smallerVariants = Array(variants.dropLast())
        lastVariant = variants[variants.count - 1]
        self.link = link
        self.page = page
        self.title = title
        moment = date.map(Moment.text)
        self.width = width
        self.height = height
        self.byteCount = byteCount
        self.kind = kind
        self.summary = summary
    }

    /// Takes over what its file says.
    public mutating func adopt(_ facts: FileFacts) {
        width = facts.width
        height = facts.height
        camera = facts.camera
        summary = facts.about ?? summary
        twin = facts.twin ?? twin
    }

    /// The address of the smallest available size.
    public var thumbnail: Address { (smallerVariants.first ?? lastVariant).address }

    /// The address of the largest known size.
    public var image: Address { lastVariant.address }

    /// The address given to other programs: an album's page, or the largest size of a picture.
    public var place: Address { kind == .album ? link ?? image : largest }

    /// The address of the largest known size, including the one found on the detail page.
    public var largest: Address { full?.address ?? image }

    /// The page to send as the referer when requesting `largest`.
    public var largestReferer: Address? { full == nil || isFullGuessed ? page : link }

    /// Whether the linked page may have a larger size.
    public var hasUnseenDetail: Bool {
        kind == .picture && full == nil && !isFullKnown && link != nil && link != image
    }

    /// Whether there is a picture to draw: an album without a known picture has its own page as its only variant.
    public var isDrawable: Bool { kind == .picture || thumbnail != link }

    /// Replaces `text` with the title, the file's name and the description, one per line: of a million pictures while the user types.
    func readWords(into text: inout [UInt8]) {
        text.removeAll(keepingCapacity: true)
        text += title.utf8
        text.append("\n")
        var address = image.text
        address.withUTF8 { address in
            let path = address.prefix { $0 != "?" }
            let name = path[((path.lastIndex(of: "/") ?? -1) + 1)...]
            text += name.contains("%") ? PercentEncoding.decode(name) : Array(name)
        }
        guard let summary else { return }
        text.append("\n")
        text += summary.utf8
    }

    /// Returns the smallest variant at least `width` pixels wide, else the largest, or the first if no width is known.
    ///
    /// For thumbnails, which are fetched in large numbers: whatever size a page shows is large enough.
    public func variant(covering width: Int) -> Variant {
        variants.contains { $0.width != nil } ? smallest(covering: width) : variants[0]
    }

    /// Returns the smallest variant known to be at least `width` pixels wide, else the largest, for close viewing.
    public func fullVariant(covering width: Int) -> Variant { full ?? smallest(covering: width) }

    private func smallest(covering width: Int) -> Variant {
        variants.filter { $0.comparedWidth >= width }
            .min { $0.comparedWidth < $1.comparedWidth } ?? lastVariant
    }
}

/// What a local picture's file says without being decoded.
public struct FileFacts: Hashable, Sendable {
    /// The upright size.
    public var width: Pixels?, height: Pixels?
    /// What a camera wrote into it.
    public var camera: Picture.Camera?
    /// What people wrote into it: title, description and keywords.
    var about: String?
    /// The picture that looks the same, which is not in the file.
    public var twin: IndexedPicture?

    /// Creates the facts.
    public init(
        width: Pixels?, height: Pixels?, camera: Picture.Camera? = nil, about: String? = nil
    ) {
        self.width = width
        self.height = height
        self.camera = camera
        self.about = about
    }

    /// Parses `text`.
    public init(text: String) {
        let parts = text.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
        self.init(
            width: parts.first.flatMap(Pixels.init),
            height: parts.dropFirst().first.flatMap(Pixels.init),
            camera: parts.count == 4 ? Picture.Camera(text: parts[3]) : nil,
            about: parts.count > 2 && !parts[2].isEmpty ? String(parts[2]) : nil)
    }

    /// All fields, separated by tabs.
    public var text: String {
        ([width, height].map { $0?.description ?? "" } + [about ?? "", camera?.text ?? ""])
            .joined(separator: "\t")
    }
}

/// A picture in a file on this machine that can be found by its look.
public struct IndexedPicture: Hashable, Sendable {
    /// The path of its file.
    public let path: String
    /// The hash of its look; 0 for a flat picture, which is like no other.
    public let fingerprint: UInt64
    /// Its size.
    public let width: Pixels, height: Pixels
    /// Whether it is smaller than the picture that it was found for.
    public var isSmaller = false

    /// Creates a picture of so many pixels; nil if there is none with these.
    public init?(path: String, fingerprint: UInt64, width: Int, height: Int) {
        guard let width = Pixels(width), let height = Pixels(height) else { return nil }
        self.path = path
        self.fingerprint = fingerprint
        self.width = width
        self.height = height
    }

    /// Parses `text`: width, height, fingerprint, 1 or 0, and the path, separated by spaces.
    public init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 4)
        guard parts.count == 5, let width = Int(parts[0]), let height = Int(parts[1]),
            let fingerprint = UInt64(parts[2])
        else { return nil }
        self.init(
            path: String(parts[4]), fingerprint: fingerprint, width: width, height: height)
        isSmaller = parts[3] == "1"
    }

    /// All of it, as `init(text:)` reads it.
    public var text: String { "\(width) \(height) \(fingerprint) \(isSmaller ? 1 : 0) \(path)" }

    /// The number of its pixels.
    public var pixelCount: Int { width.count * height.count }
}
