public import ImageCodecs
public import Network
public import Raster

/// A picture drawn in cells.
public struct Thumbnail: Hashable, Sendable {
    /// The cells, at most the box asked for.
    public var cells: CellGrid
    /// What is known of the picture.
    public var facts: PictureFacts
    /// The same in pixels, if those were asked for.
    public var pixels: CodedPicture?

    /// Makes a thumbnail.
    public init(cells: CellGrid, facts: PictureFacts, pixels: CodedPicture? = nil) {
        self.cells = cells
        self.facts = facts
        self.pixels = pixels
    }

    /// Draws what `opaque` makes of the picture at any size.
    init(
        fitting fit: Fit, style: RenderStyle, facts: PictureFacts,
        opaque: (PixelSize) -> PixelBuffer
    ) {
        cells = BlockArt(style: style).cells(from: opaque(fit.pixels))
        self.facts = facts
        pixels = style.pixels.flatMap { form in
            guard let seen = form.size(of: fit.cells).map(opaque) else { return nil }
            let code: CodedPicture.Code =
                form.graphics == .sixel
                ? .palette(PalettePicture(seen, colors: form.colors)) : .png(seen.pngFile)
            return CodedPicture(code, size: seen.size, cells: fit.cells)
        }
    }
}

/// What a picture's file told once it was decoded.
public struct PictureFacts: Hashable, Sendable {
    /// Pixels of the whole picture, upright.
    public var size: PixelSize
    /// The file's format.
    public var format: ImageFormat
    /// The format's name, for people.
    public var formatName: String { format.rawValue }
    /// Bytes of the file.
    public var byteCount: Int
    /// The dominant colour, as it is in the picture.
    public var dominant: RGB
    /// The same as a tile's background, once it is drawn for a style.
    public var tint: RGB
    /// Whether only part of it could be read.
    public var isPartial = false
    /// How many frames the file has; 1 for a still picture.
    public var frameCount: Int
    /// What the camera wrote into the file; nil if nothing.
    public var camera: CameraFacts?
    /// Camera, lens, exposure and date, as far as they are known.
    public var cameraTexts: [(label: String, text: String)] {
        [
            ("Camera", camera?.camera), ("Lens", camera?.lens), ("Exposure", camera?.exposure),
            ("Taken", camera?.date?.replacing("T", with: " ")),
        ].compactMap { label, text in text.map { (label, $0) } }
    }
    /// Where it was taken: degrees of latitude and longitude; nil if the file does not say.
    public var position: String? { camera?.position }
    /// Whether it moves, and can be played.
    public var isAnimated: Bool { frameCount > 1 && format.canPlay }
    /// Where the time went until it was on the screen.
    public var timings = PictureTimings()

    /// Facts of a whole file.
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

/// Where the time of a picture went, in microseconds; zero for what did not happen.
public struct PictureTimings: Hashable, Sendable {
    /// Where its file came from.
    public var origin: Response.Origin
    /// Waiting for its turn, for a connection and for a decoder; reading, where it came from memory or a disk.
    public var queue = 0
    /// To a connection that could be used: looked up, opened, encrypted; zero where one was open.
    public var connect = 0
    /// From the request to the first byte of its answer.
    public var firstByte = 0
    /// From the first byte to the last.
    public var transfer = 0
    /// To decode, and reduce to the size that is kept.
    public var decode = 0
    /// To shrink to the size on the screen and make cells.
    public var draw = 0

    /// Nothing has happened yet.
    public init(origin: Response.Origin = .network) { self.origin = origin }

    /// With servers, in all.
    public var fetching: Int { connect + firstByte + transfer }

    /// Of a picture decoded in `decode` microseconds, so many after it was asked for.
    init(_ response: Response, decode: Int, elapsed: Int) {
        origin = response.origin
        connect = response.timings.connecting
        firstByte = response.timings.firstByte
        transfer = response.timings.transfer
        self.decode = decode
        queue = max(0, elapsed - fetching - decode)
    }
}
