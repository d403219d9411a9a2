import Synchronization

/// The graphics protocol used to send pixels to a terminal; the raw value is the option's keyword.
public enum Graphics: String, CaseIterable, Sendable {
    /// No graphics: cells only.
    case none
    /// The kitty graphics protocol.
    case kitty
    /// DEC sixels.
    case sixel
    /// iTerm2's inline images.
    case iterm
}

/// The form in which a picture's pixels are wanted in addition to its cells.
public struct PixelForm: Hashable, Sendable {
    /// The graphics protocol.
    public var graphics: Graphics
    /// The size of a cell, in pixels.
    public var cell: PixelSize
    /// The maximum number of colours, 2…256, for protocols with a palette.
    public var colors: Int

    /// Creates a form; `colors` is clamped to 2…256.
    public init(_ graphics: Graphics, cell: PixelSize, colors: Int = 256) {
        self.graphics = graphics
        self.cell = cell
        self.colors = min(max(colors, 2), 256)
    }

    /// The size of a large window today; more pixels would take a second to send, and 16 MB to keep.
    private static let maxPixels = 4_000_000

    /// Returns the pixels per cell in a box of cells, reduced if the box would have too many pixels.
    public func cell(in box: CellSize) -> PixelSize {
        var cell = cell
        while cell.count > max(1, Self.maxPixels / max(1, box.count)) {
            cell = PixelSize(width: max(1, cell.width / 2), height: max(1, cell.height / 2))
        }
        return cell
    }

    /// Returns the size to draw `cells` at, in pixels; nil if they cannot be filled, as terminals do not enlarge sixels.
    public func size(of cells: CellSize) -> PixelSize? {
        let cell = cell(in: cells)
        guard graphics != .sixel || cell == self.cell else { return nil }
        return cells.pixels(each: cell)
    }
}

/// A drawn picture's encoded pixels, ready to be sent; pictures are compared by identity.
public final class CodedPicture: Hashable, Sendable {
    /// Encoded pixels.
    public enum Code: Sendable {
        case png([UInt8])
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
    public let sixels: [(cells: CellRect, bytes: [UInt8])]

    private static let count = Atomic<Int>(0)

    /// Creates a picture of `size` pixels that covers `cells`; with a palette this takes some nanoseconds per pixel.
    public init(_ code: Code, size: PixelSize, cells: CellSize) {
        serial = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        self.code = code
        self.size = size
        self.cells = cells
        switch code {
        case .png: sixels = []
        case .palette(let picture):
            sixels = SixelWriter.pieces(of: picture, CellRect(cells), of: cells)
        }
    }

    /// The memory used, in bytes.
    public var byteCount: Int {
        switch code {
        case .png(let bytes): bytes.count
        case .palette(let picture):
            picture.indices.count + picture.colors.count * 3 + sentCount
        }
    }

    /// The approximate number of bytes sent to the terminal for the whole picture.
    public var sentCount: Int {
        switch code {
        case .png(let bytes): bytes.count * 4 / 3
        case .palette: sixels.reduce(0) { $0 + $1.bytes.count }
        }
    }

    /// Returns whether both are the same object.
    public static func == (one: CodedPicture, two: CodedPicture) -> Bool { one === two }

    /// Hashes the serial number.
    public func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}
