import Markup
import Network

/// In which order the pictures of a section are shown, and which of them.
public struct PictureOrder: Hashable, Sendable {
    /// What decides; the raw value is the option's word.
    public enum Key: String, CaseIterable, Sendable {
        case page
        /// The title as people order names, without case and diacritics; the file's name where there is none.
        case title
        /// The file's name.
        case name
        /// The date, oldest first; undated pictures follow the dated ones, as with all that may be unknown.
        case date
        /// The bytes of the file, and the pixels of the picture.
        case size, pixels
    }

    /// What decides; equal pictures stay in page order.
    public var key = Key.page
    /// Whether the order is turned round.
    public var isReversed = false
    /// Only pictures for which this holds, read as a `PictureQuery`, are shown; empty for all.
    public var filter = ""

    /// All pictures in page order.
    public init() {}

    /// Whether it leaves a page as it is.
    public var isPageOrder: Bool { key == .page && !isReversed && filter.isEmpty }

    /// Whether the first picture shown is known only once all are.
    public var needsAll: Bool { key != .page || isReversed }

    /// Those of `pictures` that are shown, in order.
    public func applied(to pictures: [Picture]) -> [Picture] {
        guard !isPageOrder else { return pictures }
        return Arrangement(self, of: PictureList(pictures)).shown.map { pictures[$0] }
    }

    /// What `picture` is sorted by, as UTF-8 text.
    func sortKey(of picture: Picture) -> [UInt8] {
        switch key {
        case .page: []
        case .title:
            FoldedText(picture.title.isEmpty ? picture.image.lastPathComponent : picture.title)
                .bytes
        case .name: FoldedText(picture.image.lastPathComponent).bytes
        case .date: Array((picture.date ?? "").utf8)
        case .size: Self.digits(picture.byteCount)
        case .pixels: Self.digits(picture.pixelCount)
        }
    }

    private static func digits(_ number: Int?) -> [UInt8] {
        number.map { Array(String($0).utf8) } ?? []
    }

    /// Whether a picture with the key `left` comes before one with the key `right`; nil if the keys are equal.
    func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool? {
        // What is not known comes last, whichever way round.
        if [.date, .size, .pixels].contains(key), left.isEmpty != right.isEmpty {
            return right.isEmpty
        }
        let comparison = NaturalOrder.compare(left, right)
        return comparison == 0 ? nil : (comparison < 0) != isReversed
    }
}

/// The order in which people number things: `2.jpg` before `10.jpg`.
enum NaturalOrder {
    /// Whether `left` comes first: runs of digits count as numbers, letters without their case; equal names are told apart by their bytes.
    static func precedes(_ left: String, _ right: String) -> Bool {
        switch compare(folded(left), folded(right)) {
        case 0: left < right
        case let order: order < 0
        }
    }

    private static func folded(_ text: String) -> [UInt8] {
        Array((text.utf8.allSatisfy { $0 < 0x80 } ? text : text.lowercased()).utf8)
    }

    /// Negative if the UTF-8 text `left` comes first, positive if `right` does; ASCII letters count without their case.
    static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in compare(left, right) }
        }
    }

    private static func compare(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if isDigit(left[i]), isDigit(right[j]) {
                let (one, other) = (number(in: left, at: &i), number(in: right, at: &j))
                if one.count != other.count { return one.count - other.count }
                if let (a, b) = zip(one, other).first(where: { $0 != $1 }) {
                    return Int(a) - Int(b)
                }
            } else {
                let (one, other) = (left[i].lowered, right[j].lowered)
                if one != other { return Int(one) - Int(other) }
                i += 1
                j += 1
            }
        }
        return (left.count - i) - (right.count - j)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The digits at `index` without leading zeros, of any length; moves behind them.
    private static func number(
        in text: UnsafeBufferPointer<UInt8>, at index: inout Int
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = index
        while index < text.count, isDigit(text[index]) { index += 1 }
        return text[start..<index].drop { $0 == 0x30 }
    }
}
