import Basics
import Markup
import Network

/// File names as titles: extracts their words, and decides whether another text is more informative.
enum FileNameText {
    private static let small = wordSet("thumb thumbs thumbnail thumbnails tn th preview")
    private static let marks = small.union(wordSet("image photo picture foto bild"))
    /// Removed at the end of a name only, where they are not part of a title.
    private static let tails = wordSet("small medium large sm lg scaled web")
    private static let units = wordSet("kb mb kib mib bytes b k px x placeholder img")

    /// Words for sizes in names, and for folders of one size.
    private static let sizes = small.union(tails).union(large).union(
        wordSet("xs xsmall md xlarge xxl xxlarge xxxlarge mini tiny"))
    private static let sizeParameters = wordSet(
        """
        w h width height size resize fit crop quality q auto fm format dpr s ssl strip zoom itok
        max mode mod imwidth imheight maxwidth maxheight sw sh rect wid hei ar v ver lastmodified
        """)

    /// Returns what the addresses of all sizes of one picture have in common: host, path and name without words and numbers for sizes.
    static func sizelessText(of address: Address) -> String {
        let (text, path) = (address.text, address.withoutQuery)
        guard !path.hasSuffix("/") else { return text }
        var parts = path.split(separator: "/").dropLast().map { $0.lowercased() }
        for place in parts.indices.reversed() where place > 1 {
            let isNumber = parts[place].allSatisfy { $0.isNumber || $0 == "x" }
            if isNumber && (parts[place].contains("x") || sizeParameters.contains(parts[place - 1]))
                || sizes.contains(parts[place])
            {
                parts.remove(at: place)
            }
        }
        let query = text.dropFirst(path.count + 1).split(separator: "&").filter { field in
            !sizeParameters.contains(field.prefix { $0 != "=" }.lowercased())
        }
        return (parts + [String(stem(of: address))] + query.map(String.init)).joined(separator: "/")
    }

    /// Suffixes of the larger of two pictures' otherwise equal names.
    private static let large = wordSet(
        "wide large big full lg xl hd orig original zoom hires highres b o l fullsize max")

    static func isLarge(_ addition: Substring) -> Bool {
        large.contains(String(addition.drop { !$0.isLetter }))
    }

    /// Whether a name has a number of four digits or more.
    static func isNumbered(_ address: Address) -> Bool {
        address.lastPathComponent.split { !$0.isNumber }.contains { $0.count > 3 }
    }

    static func isMark(_ word: Substring) -> Bool { marks.contains(word.lowercased()) }

    static func isSmall(_ word: Substring) -> Bool { small.contains(word.lowercased()) }

    /// Returns the file's name without extension and the size at its end.
    static func bare(_ address: Address) -> Substring {
        let name = address.lastPathComponent.withoutEnding
        return AddressHints(address).size == nil ? name : name.withoutTail
    }

    /// Returns the file's name in lower case, without extension, the size at its end and marks of thumbnails.
    static func stem(of address: Address) -> Substring {
        let stem = bare(address).lowercased()[...]
        let last = stem.split { $0 == "-" || $0 == "_" }.last ?? ""
        // A single letter may count the pictures of a series.
        return (sizes.contains(String(last)) && last.count > 1 ? stem.withoutTail : stem)
            .withoutMark
    }

    /// Returns the words of the name without extension, size and marks.
    static func words(of address: Address) -> String {
        let name =
            AddressHints(address).ending == .program
            ? queried(address).withoutEnding : bare(address)
        // A percent-encoded slash.
        let file = name.lastIndex(of: "/").map { name[$0...].dropFirst() } ?? name
        let text = String(file.map { $0 == "_" || $0 == "-" || $0 == "+" ? " " : $0 })
        var words = Text.line(text).split(separator: " ")
        if words.count > 1, let last = words.last,
            isMark(last) || tails.contains(last.lowercased())
        {
            words.removeLast()
        }
        if words.count > 1, let first = words.first, isMark(first) { words.removeFirst() }
        return words.joined(separator: " ")
    }

    /// Returns the requested file's name: the query value that is one, else the last value.
    private static func queried(_ address: Address) -> String {
        let query = address.text.drop { $0 != "?" }.dropFirst()
        let values = query.split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() }
        let value = values.last { isFileName(String($0)) } ?? values.last ?? ""
        let name = value.split { $0 == "/" || $0 == ":" }.last ?? ""
        return String(utf8: PercentEncoding.decode(name.utf8))
    }

    /// Whether the text looks like `photo-17.jpg`, which was generated by a program.
    static func isFileName(_ text: String) -> Bool {
        !text.contains(" ") && text.withoutPictureEnding != text
    }

    /// Whether a text has a word other than sizes and marks: `[1]`, `310 KB`, `1200x800` and `Photo 1` have none.
    static func isWorded(_ text: String) -> Bool {
        text.utf8.count > 24
            || text.split { !$0.isLetter }.contains {
                !isMark($0) && !units.contains($0.lowercased())
            }
    }
}

extension Substring {
    /// A name without its last part.
    fileprivate var withoutTail: Substring {
        let mark = dropFirst().lastIndex { $0 == "-" || $0 == "_" }
        return mark.map { self[..<$0] } ?? self
    }

    /// A name in lower case without a leading mark of thumbnails.
    var withoutMark: Substring {
        let mark = prefix { $0.isLetter }
        return mark.count < count && FileNameText.isSmall(mark) ? dropFirst(mark.count + 1) : self
    }
}
