import Synchronization

/// How a terminal is sent pixels; the raw value is the option's word.
public enum Graphics: String, CaseIterable, Sendable {
    /// Not at all: cells only.
    case none
    /// kitty's protocol.
    case kitty
    /// DEC's sixels.
    case sixel
    /// iTerm2's inline files.
    case iterm
}

/// What a picture's own pixels are wanted as, beside its cells.
public struct PixelForm: Hashable, Sendable {
    /// How they are sent.
    public var graphics: Graphics
    /// A cell, in pixels.
    public var cell: PixelSize
    /// The most colours at once, 2…256, where there is a palette.
    public var colors: Int

    /// Makes a form.
    public init(_ graphics: Graphics, cell: PixelSize, colors: Int = 256) {
        self.graphics = graphics
        self.cell = cell
        self.colors = min(max(colors, 2), 256)
    }

    /// A large window of today; more would cost a second to send, and 16 MB to keep.
    private static let mostPixels = 4_000_000

    /// A cell's pixels in a box of so many cells: fewer where those of the box were too many.
    public func cell(in box: CellSize) -> PixelSize {
        var cell = cell
        while cell.width * cell.height > max(1, Self.mostPixels / max(1, box.columns * box.rows)) {
            cell = PixelSize(width: max(1, cell.width / 2), height: max(1, cell.height / 2))
            if cell.width * cell.height == 1 { break }
        }
        return cell
    }

    /// The size to draw `cells` at; nil where they cannot be filled, as sixels are not enlarged by the terminal.
    public func size(of cells: CellSize) -> PixelSize? {
        let cell = cell(in: cells)
        guard graphics != .sixel || cell == self.cell else { return nil }
        return PixelSize(width: cells.columns * cell.width, height: cells.rows * cell.height)
    }
}

/// A drawn picture's pixels, as they are sent; the same object is the same picture, wherever it is shown.
public final class CodedPicture: Hashable, Sendable {
    /// The pixels.
    public enum Code: Sendable {
        case png([UInt8])
        case palette(PalettePicture)
    }

    /// Different for every picture of a run.
    public let serial: Int
    /// The cells that it covers.
    public let cells: CellSize
    /// Its pixels, which those cells need not have.
    public let size: PixelSize
    /// The pixels.
    public let code: Code
    /// All of a picture with a palette as sixels, with the cells that each piece is for: written once, and not while a
    /// frame is drawn.
    public let sixels: [(cells: CellRect, bytes: [UInt8])]

    private static let count = Atomic<Int>(0)

    /// Makes a picture of `size` pixels that covers `cells`; takes some nanoseconds a pixel where there is a palette.
    public init(_ code: Code, size: PixelSize, cells: CellSize) {
        serial = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        self.code = code
        self.size = size
        self.cells = cells
        switch code {
        case .png: sixels = []
        case .palette(let picture):
            let whole = CellRect(x: 0, y: 0, columns: cells.columns, rows: cells.rows)
            sixels = SixelWriter.pieces(of: picture, whole, of: cells)
        }
    }

    /// What it takes in memory.
    public var byteCount: Int {
        switch code {
        case .png(let bytes): bytes.count
        case .palette(let picture):
            picture.indices.count + picture.colors.count * 3 + sentCount
        }
    }

    /// How many bytes the terminal is sent for all of it, about.
    public var sentCount: Int {
        switch code {
        case .png(let bytes): bytes.count * 4 / 3
        case .palette: sixels.reduce(0) { $0 + $1.bytes.count }
        }
    }

    /// Whether they are one.
    public static func == (one: CodedPicture, two: CodedPicture) -> Bool { one === two }

    /// Takes the serial for the picture.
    public func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}
