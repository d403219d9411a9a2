import Network
import TestSupport
import Testing
import Trace

@testable import Gallery

/// Pages as saved by browsers, with the traces that these leave in the file.
@Suite struct SavedPageTests {
    private let scratch: ScratchFolder
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0, count: 40)

    init() throws { scratch = try ScratchFolder() }

    /// Reads `html` from a file called `name`, with `files` beside it.
    private func page(_ html: String, in name: String, files: [String]) throws -> Page {
        for file in files { try scratch.write(Self.jpeg, to: file) }
        let path = try scratch.write(html, to: name)
        return try PageReader().read(
            Response(address: Address(path: path), body: Array(html.utf8), origin: .file))
    }

    /// Returns a file address's path relative to the folder, or the whole address.
    private func name(_ address: Address?) -> String {
        guard let path = address?.filePath else { return address?.text ?? "-" }
        return String(path.dropFirst(scratch.path.count + 1))
    }

    private static func items(_ count: Int, _ item: (Int) -> String) -> String {
        "<title>Saved</title><main>" + (1...count).map(item).joined(separator: "\n") + "</main>"
    }

    @Test("Chrome: the saved thumbnail is used, not the full size it links to")
    func chrome() throws {
        let html =
            "<!DOCTYPE html>\n<!-- saved from url=(0034)https://photos.example/racing/one -->\n"
            + Self.items(4) { number in
                """
                <a href="https://photos.example/full/\(number).jpg"><img src="./One day_files/t\(number).jpg"
                srcset="https://photos.example/t/\(number)-800.jpg 800w, https://photos.example/t/\(number)-1600.jpg 1600w"
                width=200 height=150 alt="Lap \(number)"></a>
                """
            } + "<a rel=next href='https://photos.example/racing/two'>next</a>"
        let files = (1...4).map { "One day_files/t\($0).jpg" }
        let page = try page(html, in: "One day.html", files: files)
        #expect(page.pictures.map { name($0.image) } == files)
        #expect(page.pictures.map { name($0.thumbnail) } == files)
        #expect(page.pictures.map(\.title) == (1...4).map { "Lap \($0)" })
        #expect(page.pictures.allSatisfy { $0.isFullKnown && !$0.hasUnseenDetail })
        #expect(page.next == nil)
    }

    @Test("Firefox: relative links resolve against the original page")
    func firefox() throws {
        let html =
            "<base href='https://photos.example/racing/'>"
            + Self.items(4) { number in
                """
                <figure><a href="lap/\(number).html"><img src="Racing-Dateien/\(number).jpg"></a>
                <figcaption>Lap \(number)</figcaption></figure>
                """
            }
        let files = (1...4).map { "Racing-Dateien/\($0).jpg" }
        let page = try page(html, in: "Racing.htm", files: files)
        #expect(page.pictures.map { name($0.image) } == files)
        let links = (1...4).map { "https://photos.example/racing/lap/\($0).html" }
        #expect(page.pictures.map { name($0.link) } == links)
    }

    @Test("pictures not saved keep their original address, and a saved next page is read")
    func missing() throws {
        let html =
            "<link rel=canonical href='https://photos.example/a/b'>"
            + Self.items(4) { number in
                "<a href='/p/\(number)'><img src='page_files/\(number).jpg' data-src='img/\(number).jpg'></a>"
            } + "<a rel=next href='two.html'>next</a>"
        let page = try page(html, in: "renamed.html", files: ["page_files/2.jpg", "two.html"])
        #expect(
            page.pictures.map { name($0.image) } == [
                "https://photos.example/a/img/1.jpg", "page_files/2.jpg",
                "https://photos.example/a/img/3.jpg", "https://photos.example/a/img/4.jpg",
            ])
        #expect(name(page.pictures[2].link) == "https://photos.example/p/3")
        #expect(name(page.next) == "two.html")
    }

    @Test("a hand-written page keeps its full sizes, wherever they are")
    func written() throws {
        let html = Self.items(4) { number in
            "<a href='https://photos.example/\(number).jpg'><img src='thumbs/\(number).jpg'></a>"
        }
        let page = try page(html, in: "index.html", files: (1...4).map { "thumbs/\($0).jpg" })
        #expect(
            page.pictures.map { name($0.image) }
                == (1...4).map { "https://photos.example/\($0).jpg" })
    }

    @Test("a saved page may link to files, a remote page may not")
    func files() throws {
        let saved = Response(
            address: Address(path: "/tmp/page.html"),
            body: Array("<img src='page_files/1.jpg'><img src='https://x.example/2.jpg'>".utf8),
            origin: .file)
        let read = try PageReader(recipes: [], tracer: .disabled).read(saved)
        #expect(
            read.pictures.map(\.image.text) == [
                "file:///tmp/page_files/1.jpg", "https://x.example/2.jpg",
            ])
        #expect(throws: PageError.self) {
            try GalleryTests.page("<base href='file:///etc/'><img src='file:///etc/1.jpg'>")
        }
    }
}
