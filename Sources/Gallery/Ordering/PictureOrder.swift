import Basics
import Markup
import Network

/// The order in which a section's pictures are shown, and a filter for them.
public struct PictureOrder: Hashable, Sendable {
    /// The sort key; the raw value is the option's argument.
    public enum Key: String, CaseIterable, Sendable {
        case page
        /// The title in natural order, ignoring case and diacritics; the file name if there is none.
        case title
        /// The file name.
        case name
        /// The date, oldest first; pictures with an unknown date come last, as with an unknown size.
        case date
        /// The size of the file in bytes, and of the picture in pixels.
        case size, pixels
        /// The date taken, according to the file.
        case taken
        /// Shuffled.
        case random
    }

    /// What the pictures under one heading have in common; the raw value is the option's argument.
    public enum Grouping: String, CaseIterable, Sendable {
        case none
        /// The day or month when they were taken, or else of their date.
        case day, month
        /// The folder or page of their files.
        case folder
        /// The pictures of a folder that look the same, the largest first.
        case alike
    }

    /// The sort key; equal pictures stay in page order.
    public var key = Key.page
    /// Whether the order is reversed.
    public var isReversed = false
    /// The headings; groups are in order, and their pictures within them.
    public var grouping = Grouping.none
    /// Which of many random orders to use.
    public var shuffle = 0
    /// The text of the `PictureQuery` that selects the pictures shown; empty for all.
    public var filter = ""

    /// Creates the order that shows all pictures in page order.
    public init() {}

    /// Whether this leaves a page unchanged.
    public var isPageOrder: Bool { !needsAll && filter.isEmpty }

    /// Whether the first picture to show is known only once all are.
    public var needsAll: Bool { key != .page || isReversed || grouping != .none }

    /// Whether pictures are compared by their size in pixels.
    public var needsSizes: Bool { key == .pixels || PictureQuery(filter).needsSizes }

    /// Whether pictures are compared by what cameras and people wrote into their files.
    public var needsCamera: Bool {
        key == .taken || ![.none, .folder].contains(grouping)
            || PictureQuery(filter).needsCamera
    }

    /// Returns the heading above `picture`: a day, a month, a folder's path or address, or the path of the largest of those alike; empty
    /// without grouping.
    public func heading(of picture: Picture) -> String {
        let date = picture.camera?.taken ?? picture.date ?? "no date"
        return switch grouping {
        case .none: ""
        case .day: String(date.prefix(10))
        case .month: String(date.prefix(7))
        case .folder: picture.image.resolving(".").map { $0.filePath ?? $0.text } ?? ""
        case .alike: picture.twin?.path ?? "no others"
        }
    }

    /// Returns the pictures that are shown, in order.
    public func applied(to pictures: [Picture]) -> [Picture] {
        guard !isPageOrder else { return pictures }
        return Arrangement(self, of: PictureList(pictures)).shown.map { pictures[$0] }
    }

    /// The sort key of a picture as UTF-8 texts, empty if unknown: that of its group, and its own.
    typealias SortKey = (group: [UInt8], own: [UInt8])

    func sortKey(of picture: Picture) -> SortKey {
        let heading = heading(of: picture)
        // "no date" or "no others": all other headings begin with a number, a slash or a scheme.
        return (heading.hasPrefix("no ") ? [] : heading.bytes, ownKey(of: picture))
    }

    private func ownKey(of picture: Picture) -> [UInt8] {
        switch key {
        case .page:
            grouping == .alike ? Self.digits((1 << 48) - (picture.pixelCount ?? 0)) : []
        case .title:
            FoldedText(picture.title.isEmpty ? picture.image.lastPathComponent : picture.title)
                .bytes
        case .name: FoldedText(picture.image.lastPathComponent).bytes
        case .date: (picture.date ?? "").bytes
        case .size: Self.digits(picture.byteCount)
        case .pixels: Self.digits(picture.pixelCount)
        case .taken: (picture.camera?.taken ?? "").bytes
        case .random:
            // Hashes have a key of their own in each process.
            Self.digits(abs([shuffle, picture.image.hashValue].hashValue / 2))
        }
    }

    private static func digits(_ number: Int?) -> [UInt8] {
        number.map { String($0).bytes } ?? []
    }

    /// Whether a picture with the key `left` precedes one with the key `right`; nil if the keys are equal.
    func precedes(_ left: SortKey, _ right: SortKey) -> Bool? {
        // Unknown values come last, even when reversed.
        if left.group.isEmpty != right.group.isEmpty { return right.group.isEmpty }
        var comparison = NaturalOrder.compare(left.group, right.group)
        if comparison == 0 {
            if [.date, .size, .pixels, .taken].contains(key), left.own.isEmpty != right.own.isEmpty
            {
                return right.own.isEmpty
            }
            comparison = NaturalOrder.compare(left.own, right.own)
        }
        return comparison == 0 ? nil : (comparison < 0) != isReversed
    }
}

/// Natural order: `2.jpg` before `10.jpg`.
package enum NaturalOrder {
    /// Whether `left` precedes `right`: digit runs compare as numbers, letters ignoring case; ties are broken by the bytes.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        switch compare(folded(left), folded(right)) {
        case 0: left < right
        case let order: order < 0
        }
    }

    private static func folded(_ text: String) -> [UInt8] {
        (text.utf8.allSatisfy { $0 < 0x80 } ? text : text.lowercased()).bytes
    }

    /// Compares UTF-8 texts: negative if `left` comes first, positive if `right` does; ASCII letters compare ignoring case.
    static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var i = 0
        var j = 0
        while i < left.count, j < right.count {
            if left[i].isDigit, right[j].isDigit {
                let one = number(in: left, at: &i)
                let other = number(in: right, at: &j)
                if one.count != other.count { return one.count - other.count }
                if let (a, b) = zip(one, other).first(where: { $0 != $1 }) {
                    return Int(a) - Int(b)
                }
            } else {
                // A point first, so that `1.jpg` precedes `1 (2).jpg`.
                let one = left[i] == "." ? 0 : left[i].lowered
                let other = right[j] == "." ? 0 : right[j].lowered
                if one != other { return Int(one) - Int(other) }
                i += 1
                j += 1
            }
        }
        return (left.count - i) - (right.count - j)
    }

    /// Returns the digits at `index`, of any length, without leading zeros; moves `index` past them.
    private static func number(in text: [UInt8], at index: inout Int) -> ArraySlice<UInt8> {
        let digits = text[index...].prefix(while: \.isDigit)
        index = digits.endIndex
        return digits.drop { $0 == 0x30 }
    }
}
