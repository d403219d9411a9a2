import Network

/// The pictures of one page before they are packed, while titles may still lose what all titles of the page share.
///
/// Addresses are numbers, of which no value of its own is ever made: scraping's limit in `make bench` leaves no time for it.
struct PictureDrafts {
    /// One picture.
    struct Draft {
        /// The places of its sizes in `variants`.
        var variants: Range<Int>
        /// The number of the address that it links to.
        var link: Int?
        var fields: PictureFields
    }

    /// The page they were found on.
    let page: Address
    var drafts: [Draft] = []
    /// The sizes offered, each picture's in a row.
    private var variants: [Candidate.Found] = []

    init(page: Address) {
        self.page = page
    }

    /// Adds a picture with the sizes `found`.
    mutating func add(_ found: [Candidate.Found], link: Int?, _ fields: PictureFields) {
        let start = variants.count
        variants.append(contentsOf: found)
        drafts.append(Draft(variants: start..<variants.count, link: link, fields: fields))
        if link != nil { drafts[drafts.count - 1].fields.flags.insert(.link) }
    }

    /// Packs one of them.
    func write(
        _ draft: Draft, to writer: inout PictureWriter, page number: Int,
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
