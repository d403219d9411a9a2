import Synchronization

/// An animation, or the beginning of one, whose frames a terminal keeps.
public struct Film: Sendable {
    /// The frames, all of one size, with their durations in milliseconds; at least one.
    public var frames: [(picture: CodedPicture, milliseconds: Int)]
    /// The index of the frame to show.
    public var position: Int
    /// Whether the terminal goes on from there by itself, for ever.
    public var isPlaying: Bool

    /// Creates a film.
    public init(
        _ frames: [(picture: CodedPicture, milliseconds: Int)], at position: Int, isPlaying: Bool
    ) {
        self.frames = frames
        self.position = position
        self.isPlaying = isPlaying
    }
}

/// A drawn picture's encoded pixels, ready to be sent; pictures are compared by identity.
public final class CodedPicture: Hashable, Sendable {
    /// Encoded pixels.
    public enum Code: Sendable {
        case png([UInt8])
        /// As they are, for a terminal that reads memory shared with it.
        case plain(PixelBuffer)
        case palette(PalettePicture)
    }

    /// A serial number, unique within a run.
    public let serial: Int
    /// The size in cells that the picture covers.
    public let cells: CellSize
    /// The size in pixels, which may be smaller than the cells.
    public let size: PixelSize
    /// The encoded pixels.
    public let code: Code
    /// The sixels of a whole palette picture, in pieces with the cells they cover: written once, not while a frame is drawn.
    public let sixels: [SixelPiece]

    /// The animation that it is instead of a still picture.
    public let film: Film?

    private static let count = Atomic<Int>(0)

    /// Creates a picture of `size` pixels that covers `cells`; with a palette this takes some nanoseconds per pixel.
    public init(_ code: Code, size: PixelSize, cells: CellSize) {
        serial = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        self.code = code
        self.size = size
        self.cells = cells
        film = nil
        switch code {
        case .png, .plain: sixels = []
        case .palette(let picture):
            sixels = SixelWriter.pieces(of: picture, CellRect(cells), of: cells)
        }
    }

    /// Creates a picture that is known to the terminal as the first frame of `film`.
    public init(_ film: Film) {
        let first = film.frames[0].picture
        serial = first.serial
        code = first.code
        size = first.size
        cells = first.cells
        sixels = []
        self.film = film
    }

    /// The memory used, in bytes.
    public var byteCount: Int {
        switch code {
        case .png(let bytes): bytes.count
        case .plain(let pixels): pixels.bytes.count
        case .palette(let picture):
            picture.indices.count + picture.colors.count * 3 + sentCount
        }
    }

    /// The approximate number of bytes sent to the terminal for the whole picture.
    public var sentCount: Int {
        switch code {
        case .png(let bytes): bytes.count * 4 / 3
        case .plain: 0
        case .palette: sixels.reduce(0) { $0 + $1.bytes.count }
        }
    }

    /// Returns whether both are the same object.
    public static func == (one: CodedPicture, two: CodedPicture) -> Bool { one === two }

    /// Hashes the serial number.
    public func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}
