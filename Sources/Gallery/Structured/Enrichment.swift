import Network

/// Adds to the pictures of a page's markup what its JSON-LD says of the same ones: the full size, a title, a date.
struct Enrichment {
    /// By the addresses of the picture and of its page.
    private var byAddress: [Address: Picture] = [:]
    /// By the file's name without ending; nil where several pictures share it.
    private var byStem: [String: Picture?] = [:]

    init(_ pictures: [Picture]) {
        for picture in pictures {
            for address in picture.variants.map(\.address) + [picture.link].compactMap({ $0 }) {
                byAddress[address] = byAddress[address] ?? picture
            }
            let stem = Enrichment.stem(of: picture.image)
            byStem.updateValue(byStem.keys.contains(stem) ? nil : picture, forKey: stem)
        }
    }

    /// The pictures, each that is among those described completed.
    func completed(_ pictures: PictureList) -> PictureList {
        guard !byAddress.isEmpty else { return pictures }
        var completed = Array(pictures)
        complete(&completed)
        return PictureList(completed)
    }

    /// Completes each of `pictures` that is among those described.
    func complete(_ pictures: inout [Picture]) {
        guard !byAddress.isEmpty else { return }
        for index in pictures.indices {
            guard let other = partner(of: pictures[index]) else { continue }
            Enrichment.complete(&pictures[index], with: other)
        }
    }

    private func partner(of picture: Picture) -> Picture? {
        let addresses = picture.variants.map(\.address) + [picture.link].compactMap { $0 }
        return addresses.lazy.compactMap { byAddress[$0] }.first
            ?? byStem[Enrichment.stem(of: picture.image)] ?? nil
    }

    private static func complete(_ picture: inout Picture, with other: Picture) {
        if picture.title.isEmpty || picture.title == Titles.fromFileName(picture.image) {
            picture.title = other.title
        }
        picture.summary = picture.summary ?? other.summary
        picture.date = picture.date ?? other.date
        guard !picture.variants.contains(where: { $0.address == other.image }),
            let full = other.variants.last
        else { return }
        picture.variants.append(full)
        picture.isFullKnown = true
        picture.width = full.width
        picture.height = full.height
    }

    private static func stem(of address: Address) -> String {
        let name = address.lastPathComponent
        return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name[...])
    }
}
