import Basics
import Markup
import Network

extension Page {
    /// As many as there may be candidates on a page of the web.
    private static let maxEntries = 100_000

    /// Creates the page of a listing in any order: folders first, each kind in natural order, without duplicates, and with thumbnails
    /// joined to their pictures.
    init(listing entries: some Sequence<Picture>, title: String, address: Address) throws(PageError)
    {
        let pictures = Array(entries.prefix(Self.maxEntries))
        guard !pictures.isEmpty else { throw .noPictures }
        let sorted = ThumbnailPairs.joined(pictures.unique(by: \.thumbnail)).sorted { left, right in
            left.kind == right.kind
                ? NaturalOrder.precedes(left.title, right.title) : left.kind == .album
        }
        self.init(address: address, title: title, pictures: sorted)
        if pictures.count == Self.maxEntries { shortfall = "only \(Self.maxEntries) entries" }
    }
}

extension Picture {
    /// Creates the picture of a file in a listing or folder, which is its own full size.
    init(
        listed address: Address, title: String, date: String? = nil, byteCount: Int? = nil,
        page: Address
    ) {
        self.init(
            variants: [Variant(address: address)], page: page, title: Text.line(title), date: date,
            byteCount: byteCount)
        isFullKnown = true
    }

    /// Creates an entry of a server's listing: an album without a known picture for a folder, archive or document; nil for a file that is
    /// not a picture.
    init?(entry address: Address, title: String, date: String?, byteCount: Int?, page: Address) {
        let ending = address.lastPathComponent.ending
        let isAlbum =
            address.isFolder || ending == "pdf" || FolderEntry.archiveEndings.contains(ending)
        guard isAlbum || AddressHints(address).looksLikePicture else { return nil }
        self.init(
            listed: address, title: title, date: date,
            byteCount: address.isFolder ? nil : byteCount,
            page: page)
        if isAlbum {
            kind = .album
            link = address
        }
    }
}

/// Pairs files of a listing that are smaller versions of others in it: `a_thumb.jpg` beside `a.jpg`.
///
/// A name counts as a thumbnail's only if the larger file is listed and every such name in the listing has its partner: `green-thumb.jpg`
/// alone is an ordinary picture.
enum ThumbnailPairs {
    /// Ends of names, which end in a letter, and beginnings.
    private static let marks = wordList(
        """
        _thumb -thumb .thumb _thumbnail -thumbnail _tn -tn _small -small _t _s _th -th .th _sm
        _preview -preview thumb_ thumb- thumbs_ tn_ tn- th_ t_ small_ thumb. .thumb_
        """)

    /// Returns the pictures with their thumbnails as first variants, in the order of the full pictures.
    static func joined(_ pictures: [Picture]) -> [Picture] {
        var places: [String: Int] = [:]
        for (place, picture) in pictures.enumerated() where picture.kind == .picture {
            places[picture.image.lastPathComponent.withoutEnding.lowercased()] = place
        }
        // Use the one mark with the most pairs for the whole listing.
        let best = marks.map { pairs($0, places: places) }.max { $0.count < $1.count }
        guard let best, best.count >= 2 else { return pictures }
        var joined = pictures
        for (thumbnail, full) in best {
            joined[full].variants.insert(contentsOf: pictures[thumbnail].variants, at: 0)
        }
        return joined.indices.filter { best[$0] == nil }.map { joined[$0] }
    }

    /// Returns the full picture of each thumbnail with one mark; none if any name with it has no partner.
    private static func pairs(_ mark: String, places: [String: Int]) -> [Int: Int] {
        let isTail = mark.last?.isLetter == true
        var pairs: [Int: Int] = [:]
        for (stem, place) in places where isTail ? stem.hasSuffix(mark) : stem.hasPrefix(mark) {
            let rest = isTail ? stem.dropLast(mark.count) : stem.dropFirst(mark.count)
            guard let full = places[String(rest)] else { return [:] }
            pairs[place] = full
        }
        return pairs
    }
}
