public import ImageCodecs
public import Network
public import Raster

/// A picture drawn in cells.
public struct Thumbnail: Hashable, Sendable {
    /// The cells; at most as large as the requested box.
    public var cells: CellGrid
    /// The picture's facts.
    public var facts: PictureFacts
    /// The same picture in pixels, if requested.
    public var pixels: CodedPicture?

    /// Creates a thumbnail.
    public init(cells: CellGrid, facts: PictureFacts, pixels: CodedPicture? = nil) {
        self.cells = cells
        self.facts = facts
        self.pixels = pixels
    }

    /// Draws a picture that `opaque` renders at any size, without transparency.
    init(
        fitting fit: Fit, style: RenderStyle, facts: PictureFacts,
        opaque: (PixelSize) -> PixelBuffer
    ) {
        func toned(_ size: PixelSize) -> PixelBuffer { opaque(size).toned(style.tone) }
        cells = BlockArt(style: style).cells(from: toned(fit.pixels))
        self.facts = facts
        pixels = style.pixels.map { form in
            // Each frame of a film is kept by the terminal, which enlarges it.
            let most = form.playsFilms && facts.isAnimated ? facts.size.count : .max
            let seen = toned(form.size(of: fit.cells, most: most))
            guard form.graphics == .sixel else {
                let code: CodedPicture.Code = form.isShared ? .plain(seen) : .png(seen.pngFile)
                return CodedPicture(code, size: seen.size, cells: fit.cells)
            }
            // Terminals do not enlarge sixels.
            let picture = PalettePicture(seen, colors: form.colors)
                .repeatingPixels(to: fit.cells.pixels(each: form.cell))
            return CodedPicture(.palette(picture), size: picture.size, cells: fit.cells)
        }
    }
}

/// The facts of a picture that are known once its file is decoded.
public struct PictureFacts: Hashable, Sendable {
    /// The size of the whole picture, upright, in pixels.
    public var size: PixelSize
    /// The file's format.
    public var format: ImageFormat
    /// The format's display name.
    public var formatName: String { format.rawValue }
    /// The format's media type.
    public var mediaType: String { format.mediaType }
    /// The file size, in bytes.
    public var byteCount: Int
    /// The picture's dominant colour.
    public var dominant: RGB
    /// The dominant colour as a tile's background, once the picture has been drawn for a style.
    public var tint: RGB
    /// The part of the picture inside borders of one colour.
    public var content = UnitRect.whole
    /// The hash of the picture's look; 0 if it is flat or incomplete.
    public var fingerprint: UInt64 = 0
    /// Whether only part of the picture could be read.
    public var isPartial = false
    /// The number of frames in the file; 1 for a still picture.
    public var frameCount: Int
    /// The duration of a video; 0 if there is none.
    public var seconds = 0
    /// The camera metadata in the file; nil if there is none.
    public var camera: CameraFacts?
    /// The camera, lens, exposure and date, as far as known.
    public var cameraTexts: [(label: String, text: String)] {
        [
            ("Camera", camera?.camera), ("Lens", camera?.lens), ("Exposure", camera?.exposure),
            ("Taken", camera?.date?.replacing("T", with: " ")), ("Caption", camera?.about),
        ].compactMap { label, text in text.map { (label, $0) } }
    }
    /// The latitude and longitude where the picture was taken, in degrees; nil if the file does not contain them.
    public var position: String? { camera?.position }
    /// Whether the picture is animated and can be played.
    public var isAnimated: Bool { frameCount > 1 && format.canPlay }
    /// The time taken by each step until it was on the screen.
    public var timings = PictureTimings()

    /// Creates the facts of a whole file.
    public init(
        size: PixelSize, format: ImageFormat, byteCount: Int, dominant: RGB, tint: RGB? = nil,
        frameCount: Int = 1
    ) {
        self.size = size
        self.format = format
        self.byteCount = byteCount
        self.dominant = dominant
        self.tint = tint ?? dominant
        self.frameCount = frameCount
    }
}

/// The time taken by each step of a picture, in microseconds; zero for steps that did not happen.
public struct PictureTimings: Hashable, Sendable {
    /// The origin of the file.
    public var origin = Response.Origin.network
    /// Waiting for a turn, a connection and a decoder; for memory and disk hits also reading.
    public var queue = 0
    /// Setting up a connection: name resolution, connect, TLS; zero if one was open.
    public var connect = 0
    /// From sending the request to the first byte of the response.
    public var firstByte = 0
    /// From the first byte to the last.
    public var transfer = 0
    /// Decoding, and reducing to the size that is kept.
    public var decode = 0
    /// Shrinking to the size on the screen and making cells.
    public var draw = 0

    /// Creates timings in which nothing has happened yet.
    public init() {}

    /// The total time spent with servers.
    public var fetching: Int { connect + firstByte + transfer }

    /// Creates the timings of a picture decoded in `decode` microseconds, `elapsed` microseconds after the request.
    init(_ response: Response, decode: Int, elapsed: Int) {
        origin = response.origin
        connect = response.timings.connecting
        firstByte = response.timings.firstByte
        transfer = response.timings.transfer
        self.decode = decode
        queue = max(0, elapsed - fetching - decode)
    }
}
