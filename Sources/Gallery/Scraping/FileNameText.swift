import Basics
import Markup
import Network

/// File names as titles: extracts their words, and decides whether another text is more informative.
enum FileNameText {
    /// Words that say nothing of a picture.
    private static let empty = wordSet(
        "image photo picture foto bild kb mb kib mib bytes b k px x placeholder img")

    /// Words for sizes in names, and for folders of one size, from small to large; a name without any is `unsized`.
    private static let sizes: [String: Int] = meanings([
        0: "thumb thumbs thumbnail thumbnails tn th preview",
        1: "t mini tiny xs xsmall lr lowres",
        2: "s small sm",
        3: "m medium md scaled web",
        5: "l large lg big b wide",
        6: "xl xlarge zoom thickbox hd hr hires highres",
        7: "xxl xxlarge",
        8: "xxxlarge",
        9: "o orig original full fullsize max",
    ])
    private static let unsized = 4
    private static let sizeParameters = wordSet(
        """
        w h width height size resize fit crop quality q auto fm format dpr s ssl strip zoom itok
        max imwidth imheight maxwidth maxheight sw sh rect wid hei ar
        """)

    /// Returns what the addresses of all sizes of one picture have in common: host, path and name without words and numbers for sizes;
    /// as bytes, since texts of different bytes may be equal.
    static func sizelessText(of address: Address) -> [UInt8] {
        let path = address.withoutQuery
        guard !path.hasSuffix("/") else { return address.text.bytes }
        var parts: [String] = []
        var last = ""
        for part in path.split(separator: "/").dropLast().map({ $0.lowercased() }) {
            let isNumber = part.utf8.allSatisfy { $0.isDigit || $0 == "x" }
            let isSize = isNumber && (part.contains("x") || sizeParameters.contains(last))
            if !isSize, sizes[part] == nil { parts.append(part) }
            last = part
        }
        let query = address.text.dropFirst(path.count + 1).split(separator: "&").filter {
            !sizeParameters.contains($0.prefix { $0 != "=" }.lowercased())
        }
        return (parts + [String(stem(of: address))] + query.map(String.init))
            .joined(separator: "/").bytes
    }

    /// The words of each of two addresses that the other has not.
    private static func differences(_ one: Address, _ other: Address) -> [Set<String>] {
        let words = [one, other].map { address in
            Set(address.text.lowercased().split { !$0.isAlphanumeric }.map(String.init))
        }
        return [words[0].subtracting(words[1]), words[1].subtracting(words[0])]
    }

    /// Whether two addresses differ only in words for sizes, and in sizes of a hundred pixels or more.
    static func differInSize(_ one: Address, _ other: Address) -> Bool {
        differences(one, other).joined().allSatisfy { isSize($0, least: 100) }
    }

    /// Whether a word is one for sizes, or names two sides of at least so many pixels.
    private static func isSize(_ word: String, least: Int) -> Bool {
        sizes[word] != nil || word.contains("x") && number(word) ?? 0 >= least
    }

    /// Whether the first of two sizes of one picture is the larger by its address: by the numbers in which they differ, else by words; nil
    /// if these do not tell.
    static func isLarger(_ one: Address, than other: Address) -> Bool? {
        let words = differences(one, other)
        let numbers = words.map { $0.compactMap(number).max() }
        if let own = numbers[0], let others = numbers[1], own != others { return own > others }
        let ranks = words.map { $0.compactMap { sizes[$0] }.min() ?? unsized }
        return ranks[0] == ranks[1] ? nil : ranks[0] > ranks[1]
    }

    /// Parses `640x360`, `w340` or `340`.
    private static func number(_ word: String) -> Int? {
        Int(bounded: word.drop { "wsh".contains($0) }.prefix { $0.isNumber })
    }

    /// Returns how many characters at the end of names are a size that all of them have: `thumb`, `470x470`, `_100x`.
    static func sharedSize(of names: [Substring]) -> Int {
        guard names.count >= Scraper.galleryCount, let first = names.first else { return 0 }
        let count = names.dropFirst().reduce(first.count) { count, name in
            zip(first.reversed(), name.reversed()).prefix(count).prefix { $0 == $1 }.count
        }
        let word = first.suffix(count).drop { !$0.isAlphanumeric }.lowercased()
        return word.count > 1 && isSize(word, least: 10) ? count : 0
    }

    static func isSmall(_ word: Substring) -> Bool { sizes[word.lowercased()] == 0 }

    /// Returns the file's name without extension and the size at its end.
    static func bare(_ address: Address) -> Substring {
        var name = address.lastPathComponent.withoutEnding
        // The width in names of MediaWiki: `330px-House.jpg`.
        let number = name.prefix(while: \.isNumber)
        if !number.isEmpty, name.dropFirst(number.count).hasPrefix("px-") {
            name = name.dropFirst(number.count + 3)
        }
        return AddressHints(address).size == nil ? name : name.withoutTail
    }

    /// Returns the file's name in lower case, without extension, the size at its end and marks of thumbnails.
    static func stem(of address: Address) -> Substring {
        // Google's pictures have their size behind a sign: `…=w340`.
        let stem = bare(address).lowercased().prefix { $0 != "=" }
        let last = stem.split { $0 == "-" || $0 == "_" }.last ?? ""
        // A single letter may count the pictures of a series.
        return (sizes[String(last)] != nil && last.count > 1 ? stem.withoutTail : stem)
            .withoutMark
    }

    /// Returns the words of the name without extension and size.
    static func words(of address: Address) -> String {
        let name =
            AddressHints(address).ending == .program
            ? queried(address).withoutEnding : bare(address)
        // A slash may be percent-encoded.
        let file = String(name).atLastSlash.name
        return Text.line(String(file.map { "_-+".contains($0) ? " " : $0 }))
    }

    static func isUnderscored(_ text: String) -> Bool { text.includes("_") && !text.includes(" ") }

    /// Whether a name has a word: a number is even less informative than `Picture 1`, and so is a hash.
    static func isNamed(_ name: String) -> Bool {
        name.split { " _-".contains($0) }.contains {
            $0.count > 1 && $0.split { !$0.isLetter }.count == 1
        }
    }

    /// Returns the requested file's name: the query value that is one, else the last value.
    private static func queried(_ address: Address) -> String {
        let query = address.text.drop { $0 != "?" }.dropFirst()
        let values = query.split(separator: "&").map { $0.halves(at: "=").tail ?? "" }
        let value = values.last(where: isFileName) ?? values.last ?? ""
        let name = value.split { "/:".contains($0) }.last ?? ""
        return String(utf8: PercentEncoding.decode(name.utf8))
    }

    /// Whether the text looks like `photo-17.jpg`, which was generated by a program.
    static func isFileName(_ text: String) -> Bool {
        !text.utf8.contains(0x20) && text.withoutPictureEnding != text
    }

    /// Whether a text has a word other than sizes and marks: `[1]`, `310 KB`, `1200x800` and `Photo 1` have none.
    static func isWorded(_ text: String) -> Bool {
        text.utf8.count > 24
            || text.utf8.split { !$0.isLetter && $0 < 0x80 }.contains {
                let word = Substring($0)
                return !isSmall(word) && !empty.contains(word.lowercased())
            }
    }
}

extension Substring {
    /// A name without its last part.
    fileprivate var withoutTail: Substring {
        dropFirst().lastIndex { "-_".contains($0) }.map { self[..<$0] } ?? self
    }

    /// A name in lower case without a leading mark of thumbnails.
    var withoutMark: Substring {
        let mark = prefix { $0.isLetter }
        return mark.count < count && FileNameText.isSmall(mark) ? dropFirst(mark.count + 1) : self
    }
}
