import Basics

@testable import Collector
@testable import Gallery
@testable import ImageCodecs
@testable import Markup
@testable import Network
@testable import halftone

/// Any page, feed or list, in the form of the tests' corpus: lines of `url:`, `type:`, `header:` and others, an empty line, the body.
@Sendable func readPage(_ bytes: [UInt8], type: String) {
    let response = response(bytes, type: type)
    let reader = PageReader(explain: { explanation in
        for line in explanation.split(separator: "\n") { requireHarmless(String(line)) }
    })
    _ = reader.alternatives(to: response, nil)
    do throws(PageError) {
        let page = try reader.read(response)
        requireHarmless(page.title)
        page.related.forEach { requireHarmless($0.title) }
        for picture in page.pictures.prefix(50) {
            requireHarmless(PictureRecord(picture, section: 1, index: 1).line)
            requireHarmless(picture.title)
            requireFit(NameTemplate.usual.path(of: SaveOrder(picture), format: .jpeg))
        }
        if let picture = page.pictures.first(where: { _ in true }) {
            _ = try? reader.detail(response, of: picture, rule: nil)
        }
    } catch {
        requireHarmless(error.description)
    }
    if type == "text/html" { makeRecipe(of: response) }
}

/// What `--make-recipe` writes must be a recipe.
private func makeRecipe(of response: Response) {
    let maker = PageReader(
        explain: { text in
            for line in text.split(separator: "\n") { requireHarmless(String(line)) }
            demand((try? Recipe(json: Array(text.utf8), file: "-")) != nil, text)
        }, makesRecipe: true)
    _ = try? maker.read(response)
}

private func response(_ bytes: [UInt8], type: String) -> Response {
    var response = Response(
        address: fuzzedPage, mediaType: type, body: bytes, origin: .network)
    guard bytes.starts(with: "row: ".utf8) else { return response }
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        guard let field = line.withUnsafeBytes(headerField) else { break }
        switch field.name {
        case "url":
            response.address =
                Address(field.value) ?? FileServers().address(field.value) ?? response.address
        case "type":
            let type = FieldValue(field.value)
            (response.mediaType, response.charset) = (type.mediaType, type.charset)
        case "header":
            if let field = Array(field.value.utf8).withUnsafeBytes(headerField) {
                response.headers.append(field)
            }
        default: break
        }
    }
    response.body = Array(rest)
    return response
}

let fuzzedPage = Address(normal: "http://fuzz.test/albums/one/", pathStart: 16)

private func requireFit(_ name: String) {
    let text = name.numbered(2)
    requireHarmless(text)
    demand(!text.hasPrefix(".") && !text.contains("/") && text.utf8.count <= 255, text)
}

/// A selector, and, behind a NUL, the page it is tried on.
@Sendable func select(_ bytes: [UInt8]) {
    let (text, page) = divided(bytes)
    guard let selector = try? Selector(String(decoding: text, as: UTF8.self)) else { return }
    let document = Document(html: page ?? Array(samplePage.utf8))
    let nodes = document.root.select(selector).map(\.number)
    demand(nodes == nodes.sorted() && Set(nodes).count == nodes.count)
}

@Sendable func readSrcset(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
        Srcset.forEach(in: bytes) { candidate in
            demand(candidate.url.count <= bytes.count)
            _ = fuzzedPage.resolving(String(decoding: candidate.url, as: UTF8.self))
        }
    }
}

/// A recipe, and, behind a NUL, the page it reads.
@Sendable func readRecipe(_ bytes: [UInt8]) {
    let (json, page) = divided(bytes)
    guard let recipe = try? Recipe(json: json, file: "fuzzed.json") else { return }
    _ = recipe.matches(fuzzedPage)
    let document = Document(html: page ?? Array(samplePage.utf8))
    let context = PageContext(address: fuzzedPage, document: document, headers: [], log: nil)
    guard let page = recipe.page(document, context: context) else { return }
    for picture in page.pictures.prefix(50) {
        requireHarmless(PictureRecord(picture, section: 1, index: 1).line)
    }
}

private func divided(_ bytes: [UInt8]) -> (first: [UInt8], second: [UInt8]?) {
    guard let end = bytes.firstIndex(of: 0) else { return (bytes, nil) }
    return (Array(bytes[..<end]), Array(bytes[(end + 1)...]))
}

private let samplePage = """
    <html><head><title>Sample</title><link rel=next href="?page=2"></head><body id=top class="a b">
    <ul class=pictures data-count=3><li class="picture first"><a href=one.html title="One"><img
    src=t/1.jpg data-src=f/1.jpg srcset="t/1.jpg 1x, f/1.jpg 2x" width=100 height=80 alt=One></a><p>1
    <li class=picture><a href=two.html lang=en-GB><img src=t/2.jpg alt=Two></a><p>2 <b>two</b>
    <li><div><div><a href=three.html><img src=t/3.jpg></a></div></div></ul><p class=next><a href=?page=2>Next</a>
    """
