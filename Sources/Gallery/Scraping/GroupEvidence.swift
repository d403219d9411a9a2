import Basics
import Markup
import Network

/// Evidence from the page as a whole: the strongest sign of a gallery is a repeated structure with different pictures in it.
struct GroupEvidence {
    /// What is known of the candidates with the same structure.
    struct Group {
        fileprivate(set) var addresses = 0
        /// The number of different pages and pictures that its members lead to.
        fileprivate var targets = 0
        fileprivate var count = 0
        /// How often its addresses occur on the page, each counted once.
        fileprivate var occurrences = 0
        fileprivate var photos = 0

        /// The minimum number of small pictures, each with a target of its own, that are thumbnails rather than icons.
        private static let wallCount = 6

        /// Whether it repeats a structure with different pictures in it.
        var isRepeated: Bool { addresses >= Selection.galleryCount && addresses * 2 > count }

        /// Whether it also has enough pictures, or photographs, to be more than the icons of a page.
        var isLarge: Bool { isRepeated && (addresses >= Self.wallCount || photos == count) }

        /// Whether nearly all of its members lead to pages or pictures of their own.
        var leadsOn: Bool { targets * 10 >= count * 9 }

        /// Whether these are many.
        var isWall: Bool { isRepeated && addresses >= Self.wallCount && leadsOn }
    }

    private(set) var groups: [Group]
    /// The number of candidates with each best address, by the address's number.
    private var counts: [Int32]
    private let pageIndex: PageIndex
    private let home: String

    init(
        _ candidates: [Candidate], in pageIndex: PageIndex, _ repetition: Repetition, page: Address
    ) {
        self.pageIndex = pageIndex
        home = page.text
        groups = Array(repeating: Group(), count: repetition.sizes.count)
        // Group and address or target packed into one number.
        var pictures: Set<Int> = []
        var targets: Set<Int> = []
        counts = Array(repeating: 0, count: pageIndex.addresses.count)
        for (index, candidate) in candidates.enumerated() {
            guard let number = pageIndex.best(of: candidate)?.address else { continue }
            counts[number] += 1
            let group = repetition.groups[index]
            groups[group].count += 1
            if pageIndex.addresses.hints(of: number).ending == .photo { groups[group].photos += 1 }
            pictures.insert(group << 32 | number)
            let target = candidate.link ?? (candidate.linksToPicture ? number : nil)
            if let target { targets.insert(group << 32 | target) }
        }
        for picture in pictures {
            groups[picture >> 32].addresses += 1
            groups[picture >> 32].occurrences += Int(counts[picture & 0xFFFF_FFFF])
        }
        for target in targets { groups[target >> 32].targets += 1 }
    }

    /// Whether a candidate's address is repeated like an ornament's, more often than its group has addresses or than these are on average: a
    /// slider's clones repeat all pictures alike, and a large gallery may repeat one a few times.
    func isNamedAgain(_ candidate: Candidate, in group: Group) -> Bool {
        guard let own = pageIndex.best(of: candidate)?.address, counts[own] > 1 else {
            return false
        }
        // Products of one kind may share a photograph, each with a page of its own.
        if group.leadsOn, pageIndex.addresses.hints(of: own).ending == .photo { return false }
        if pageIndex.bestIsPlaceholder(of: candidate) { return true }
        let times = Int(counts[own])
        guard times > 2, times * 4 > group.addresses else { return false }
        // A slider's copies and the sizes of one picture name all of them equally often.
        if group.addresses >= Selection.galleryCount, group.photos == group.count,
            2 * times * group.addresses <= 3 * group.occurrences
        {
            return false
        }
        return times > group.addresses || times * group.addresses > 2 * group.count
    }

    /// Whether the candidate is in a folder of its own, with others like it, in the folder that it links to: `trip/thumbnails/1.jpg` linked
    /// to `trip/`.
    func isCover(_ candidate: Candidate) -> Bool {
        guard candidate.landmarks.isDisjoint(with: [.chrome, .hidden]),
            let link = candidate.link, let own = pageIndex.best(of: candidate)?.address
        else { return false }
        return pageIndex.addresses.withTexts { texts in
            let (text, picture) = (texts[link].text, texts[own].text)
            let path = text[..<text.endOfPath]
            guard let slash = path.lastIndex(of: "/") else { return false }
            let folder = UnsafeBufferPointer(rebasing: text[...slash])
            // The page's own folder and its parents contain everything.
            var home = home
            guard picture.begins(with: folder), home.withUTF8({ !$0.begins(with: folder) }) else {
                return false
            }
            let page = path[(slash + 1)...]
            let isIndex = page.isEmpty || page.starts(with: "index.".utf8)
            let name = picture[folder.count..<picture.endOfPath]
            return isIndex && name.contains("/")
        }
    }
}
