import Basics
import Markup
import Network

/// A page saved with its pictures: the saved copies are shown, and only what was not saved is fetched from the network.
struct SavedPage {
    /// The file that contains the page.
    let file: Address
    /// The address the page was saved from; nil if unknown.
    let original: Address?
    /// Returns the saved copy of what was at an address; nil if there is none.
    ///
    /// Blocks on the disk.
    let copy: @Sendable (Address) -> Address?
}

extension SavedPage {
    /// Recognises a browser's "web page, complete" by a folder named after it beside it, or by a comment with its address.
    ///
    /// Nil for any other page.
    init?(_ document: Document, in response: Response) {
        guard response.address.isFile else { return nil }
        let mark = Self.mark?.match(String(utf8: response.body.prefix(2048)))
        guard mark != nil || Self.hasFolder(document, response.address) else { return nil }
        let named = document.elements(.link).first { $0.attribute(.rel) == "canonical" }
        let original = [
            mark, named?.attribute(.href), document.root.first(.base)?.attribute(.href),
        ].compactMap { $0.flatMap(Address.init) }.first { !$0.isFile }
        self.init(file: response.address, original: original) { address in
            address.filePath.flatMap { FileKind(atPath: $0) == .file ? address : nil }
        }
    }

    /// `<!-- saved from url=(0042)https://… -->`, where the number is the length of what follows.
    private static let mark = try? Pattern(#"(?s).*?saved from url=\(\d*\)?(\S*).*"#)

    /// Whether the page's resources are in a folder named after it, such as `page_files`, `page-Dateien` or `page_fichiers`, or, after
    /// renaming, one that still ends like a browser's.
    private static func hasFolder(_ document: Document, _ address: Address) -> Bool {
        let stem = address.lastPathComponent.withoutEnding
        let nodes = document.elements(.img).prefix(200) + document.elements(.link).prefix(200)
        let folders = nodes.compactMap { node in
            (node.attribute(.src) ?? node.attribute(.href)).flatMap(address.resolving)?
                .filePath?.atLastSlash.folder
        }
        return Set(folders).contains { path in
            let folder = path.split(separator: "/").last ?? ""
            let isNamed = folder.hasPrefix(stem) && folder.count > stem.count
            return (isNamed || folder.hasSuffix("_files") || folder.hasSuffix(".files"))
                && FileKind(atPath: path) == .folder
        }
    }

    /// Returns the page with saved copies in place of the originals.
    ///
    /// A full size that was not saved is replaced by the largest saved size, and the next page is dropped unless it was saved too.
    func kept(_ page: Page) -> Page {
        var page = page
        page.address = file
        page.isCopy = true
        page.original = original
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
            picture.width = nil
            picture.height = nil
        }
        return picture
    }

    /// Returns the address that a reference meant before the page was saved: relative references were relative to the original.
    private func meant(_ address: Address) -> Address {
        guard let original, address.isFile, copy(address) == nil else { return address }
        let folder = file.folder
        let start = address.text.hasPrefix(folder) ? folder.count : "file://".count
        let reference = address.text.dropFirst(start)
        return original.resolving(String(reference)) ?? address
    }
}
