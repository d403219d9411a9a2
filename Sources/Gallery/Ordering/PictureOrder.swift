/// In which order the pictures of a section are shown, and which of them.
public struct PictureOrder: Hashable, Sendable {
    /// What decides; the raw value is the option's word.
    public enum Key: String, CaseIterable, Sendable {
        /// The place on the page.
        case page
        /// The title as people order names, without case and diacritics; the file's name where there is none.
        case title
        /// The date, oldest first; undated pictures follow the dated ones.
        case date
    }

    /// What decides; equal pictures stay in page order.
    public var key = Key.page
    /// Whether the order is turned round.
    public var isReversed = false
    /// Only pictures whose title or address holds this are shown, whatever its case and diacritics; empty for all.
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
}
