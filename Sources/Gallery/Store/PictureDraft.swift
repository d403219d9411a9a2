import Network

/// A picture that is about to be packed, while its title may still lose what all titles of the page share.
struct PictureDraft {
    /// The places of its sizes in `PictureDrafts.variants`.
    var variants: Range<Int>
    /// The number of the address that it links to.
    var link: Int?
    var fields: PictureWriter.Fields
}

/// The drafts of one page's pictures: addresses are numbers, of which no value of its own is ever made.
struct PictureDrafts {
    /// The page they were found on.
    let page: Address
    var drafts: [PictureDraft] = []
    /// The sizes offered, each picture's in a row.
    private(set) var variants: [Candidate.Found] = []

    init(page: Address) {
        self.page = page
    }

    /// Adds the sizes of the next picture; returns their places.
    mutating func add(_ found: [Candidate.Found]) -> Range<Int> {
        let start = variants.count
        for variant in found { variants.append(variant) }
        return start..<variants.count
    }

    /// Packs one of them.
    func write(
        _ draft: PictureDraft, to writer: inout PictureWriter, page number: Int,
        _ addresses: AddressNumbers
    ) {
        writer.begin(draft.fields, page: number, variants: draft.variants.count)
        var text = page.text
        text.withUTF8 { text in
            var previous = PictureWriter.AddressText(bytes: text, pathStart: page.pathStart)
            addresses.withTexts { texts in
                for place in draft.variants {
                    let variant = variants[place]
                    let address = texts[variant.address]
                    writer.write(address, after: previous)
                    writer.writeSize(variant.width, variant.height)
                    previous = address
                }
                if let link = draft.link { writer.write(texts[link], after: previous) }
            }
        }
        writer.end(draft.fields)
    }
}
