import Basics
import Markup
import Network

/// A page that was kept together with its pictures: those are shown, and the network is asked only for what was not kept.
struct SavedPage: Sendable {
    /// The file that it is in.
    let file: Address
    /// Where it was when it was saved; nil if it does not tell.
    let original: Address?
    /// Where the copy of what was at an address is; nil if there is none.
    ///
    /// Blocks on the disk.
    let copy: @Sendable (Address) -> Address?

    /// Makes one of what an archive of the web holds.
    init(file: Address, original: Address?, copy: @escaping @Sendable (Address) -> Address?) {
        self.file = file
        self.original = original
        self.copy = copy
    }

    /// What a browser saves as "web page, complete": a folder beside it that is named after it, or a comment that tells where it was.
    ///
    /// Nil for any other page.
    init?(_ document: Document, in response: Response) {
        guard response.address.isFile else { return nil }
        let head = String(decoding: response.body.prefix(2048), as: UTF8.self)
        let mark = Self.address(inMarkOf: head)
        guard mark != nil || Self.hasFolder(document, response.address) else { return nil }
        let named = document.elements(.link).first { $0.attribute(.rel) == "canonical" }
        let original = [
            mark, named?.attribute(.href), document.root.first(.base)?.attribute(.href),
        ].lazy.compactMap { $0.flatMap { Address($0) } }.first { !$0.isFile }
        self.init(file: response.address, original: original) { address in
            address.filePath.flatMap { FileKind(atPath: $0) == .file ? address : nil }
        }
    }

    /// `<!-- saved from url=(0042)https://… -->`, the number being the length of what follows.
    private static func address(inMarkOf head: String) -> String? {
        guard let mark = head.firstRange(of: "saved from url=(") else { return nil }
        let text = head[mark.upperBound...].drop(while: \.isNumber).dropFirst()
        return String(text.prefix { !$0.isWhitespace })
    }

    /// Whether what the page shows lies in a folder called `page_files`, `page-Dateien`, `page_fichiers` or, once it was renamed,
    /// still with one of the endings that browsers use.
    private static func hasFolder(_ document: Document, _ address: Address) -> Bool {
        let name = address.lastPathComponent
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        let nodes = document.elements(.img).prefix(200) + document.elements(.link).prefix(200)
        var seen: Set<Address> = []
        return nodes.contains { node in
            let reference = node.attribute(.src) ?? node.attribute(.href)
            guard let found = reference.flatMap({ address.resolving($0) })?.folder, found.isFile,
                seen.insert(found).inserted, let path = found.filePath
            else { return false }
            let folder = path.split(separator: "/").last ?? ""
            let isNamed = folder.hasPrefix(stem) && folder.count > stem.count
            return (isNamed || folder.hasSuffix("_files") || folder.hasSuffix(".files"))
                && FileKind(atPath: path) == .folder
        }
    }

    /// The page with the copies in place of what they are copies of.
    ///
    /// A full size that was not saved is the thumbnail that was, and there is no next page but one that was saved too.
    func kept(_ page: Page) -> Page {
        var page = page
        page.address = file
        page.pictures = PictureList(page.pictures.map(kept))
        page.related = page.related.map {
            Page.Related(title: $0.title, pictures: $0.pictures.map(kept))
        }
        page.next = page.next.flatMap(copy)
        return page
    }

    private func kept(_ picture: Picture) -> Picture {
        var picture = picture
        picture.page = file
        picture.link = picture.link.map(meant)
        let last = picture.image
        let copies = picture.variants.compactMap { variant in
            copy(variant.address).map {
                Picture.Variant(address: $0, width: variant.width, height: variant.height)
            }
        }
        guard let largest = copies.last else {
            for index in picture.variants.indices {
                picture.variants[index].address = meant(picture.variants[index].address)
            }
            return picture
        }
        picture.variants = copies
        picture.isFullKnown = true
        if copy(last) != largest.address {
            (picture.width, picture.height) = (largest.width, largest.height)
        }
        return picture
    }

    /// Where an address on the page led to before it was saved: what is relative was so to the original.
    private func meant(_ address: Address) -> Address {
        guard let original, address.isFile, copy(address) == nil else { return address }
        let folder = file.folder?.text ?? ""
        let reference =
            address.text.hasPrefix(folder)
            ? address.text.dropFirst(folder.count) : address.text.dropFirst("file://".count)
        return original.resolving(String(reference)) ?? address
    }
}

extension Address {
    /// The folder that it is in.
    fileprivate var folder: Address? { resolving(".") }
}
