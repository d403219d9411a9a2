import Basics
import Network
import Pipeline
import Testing
import Trace

@testable import Gallery

/// Recipes made from pages: their contents, and that they read the page again.
@Suite struct RecipeMakerTests {
    /// Returns the text of the recipe made from a page, and the recipe.
    private func made(
        _ body: [UInt8], at address: String = testAddress
    ) throws -> (text: String, recipe: Recipe, response: Response) {
        let response = Response(
            address: try #require(Address(address)), mediaType: "text/html", headers: [],
            body: body, origin: .network)
        let text = try #require(try text(for: response))
        return (text, try Recipe(json: Array(text.utf8), file: "-"), response)
    }

    private func text(for response: Response) throws -> String? {
        let texts = Locked([String]())
        _ = try PageReader(
            explain: { text in texts.withLock { $0.append(text) } }, makesRecipe: true
        ).read(response)
        return texts.withLock(\.first)
    }

    @Test("every value gets the selector that is right for most pictures")
    func values() throws {
        let items = (1...5).map { number in
            """
            <li class="photo new"><a href="/view/\(number)"><img class="thumb t\(number)" src="/blank.gif" data-src="/t/\(number).jpg"></a>
            <div><img class=badge src=/new.png width=12 height=12><h3>Boat \(number)</h3><time datetime="2020-01-0\(number)">then</time></div></li>
            """
        }
        let html =
            "<title>Boats</title><main><ul id=grid>\(items.joined())</ul><p><a class=older rel=next href='?p=2'>More</a></main>"
        let (text, recipe, response) = try made(Array(html.utf8), at: "https://a.example/b/c?p=1")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "// https://a.example/b/c?p=1",
                "// 5 of 5 pictures and 0 others; of these right: 5 images, 5 links, 5 titles, 5 dates; the same next page",
                "{", "  \"name\": \"Boats\",", "  \"match\": \"https://a\\\\.example/b/.*\",",
                "  \"test\": \"https://a.example/b/c?p=1\",",
                "  \"item\": \"li.photo.new\",", "  \"thumbnail\": \"img@data-src\",",
                "  \"image\": null,", "  \"link\": \"a@href\",", "  \"album\": null,",
                "  \"title\": \"h3\",", "  \"description\": null,",
                "  \"date\": \"time@datetime\",", "  \"next\": \"a[rel~=next]@href\"", "}",
            ])
        let again = try PageReader(recipes: [recipe]).read(response)
        #expect(again.pictures.map(\.title) == (1...5).map { "Boat \($0)" })
    }

    @Test("sizes in one attribute and several item forms are supported")
    func forms() throws {
        let sized = (1...4).map {
            "<div class=a><img srcset='/\($0)-s.jpg 200w, /\($0)-l.jpg 900w' alt='Red kite \($0)'></div>"
        }
        let drawn = (5...8).map {
            "<li class=b><a href='/v/\($0)'><img data-src='/\($0).jpg'></a></li>"
        }
        let html = "<main class=gallery>\(sized.joined())\(drawn.joined())</main>"
        let (text, recipe, response) = try made(Array(html.utf8))
        #expect(text.contains("\"item\": \"div.a, li.b\""))
        #expect(text.contains("\"thumbnail\": \"img@srcset\""))
        #expect(text.contains("\"image\": \"img@srcset\""))
        #expect(text.contains("// 4 of 8 pictures and 0 others"), "\(text)")
        let again = try PageReader(recipes: [recipe]).read(response)
        #expect(again.pictures.map { short($0.thumbnail) } == (1...4).map { "/\($0)-s.jpg" })
        #expect(again.pictures.map { short($0.image) } == (1...4).map { "/\($0)-l.jpg" })
    }

    @Test("a tag name that needs escaping is replaced by the universal selector")
    func unplainTags() throws {
        let items = (1...4).map {
            "<g:photo class=a><a href='/v/\($0)'><img src='/\($0).jpg'></a></g:photo>"
        }
        let (text, recipe, response) = try made(Array("<main>\(items.joined())</main>".utf8))
        #expect(text.contains("\"item\": \"*.a\""), "\(text)")
        let again = try PageReader(recipes: [recipe]).read(response)
        #expect(again.pictures.map { short($0.thumbnail) } == (1...4).map { "/\($0).jpg" })
    }

    @Test("pictures found only in the page's data yield no recipe")
    func data() throws {
        let html =
            "<script>var p = [{src:'/a/1.jpg'},{src:'/a/2.jpg'},{src:'/a/3.jpg'},{src:'/a/4.jpg'}]</script>"
        let address = try #require(Address(testAddress))
        let response = Response(
            address: address, mediaType: "text/html", headers: [], body: Array(html.utf8),
            origin: .network)
        let reader = PageReader(explain: { Issue.record("\($0)") }, makesRecipe: true)
        #expect(try reader.read(response).pictures.count == 4)
    }

    /// Returns what is learnt from examples on a page, given by the numbers of their files.
    private func learnt(_ html: String, wanted: [Int], unwanted: [Int]) throws -> RecipeLesson {
        let address = try #require(Address(testAddress))
        func addresses(_ numbers: [Int]) throws -> Set<Address> {
            Set(try numbers.map { try #require(Address("https://photos.example/\($0).jpg")) })
        }
        let response = Response(
            address: address, mediaType: "text/html", headers: [], body: Array(html.utf8),
            origin: .network)
        return try PageReader().lesson(
            of: response,
            RecipeExamples(
                page: address, wanted: addresses(wanted), unwanted: addresses(unwanted)))
    }

    @Test("a recipe learnt from examples finds those like the wanted and none like the others")
    func lessons() throws {
        func items(_ numbers: ClosedRange<Int>, _ attributes: String = "") -> String {
            numbers.map { "<li \(attributes)><img src='/\($0).jpg' alt='No. \($0)'></li>" }.joined()
        }
        let nav = "<nav><ul class=menu>\(items(1...3))</ul></nav>"
        let listed = nav + "<main><ul class=grid>\(items(4...9))</ul></main>"
        let grid = try learnt(listed, wanted: [4, 6], unwanted: [2])
        #expect(grid.item == "ul.grid > li" && grid.count == 6 && grid.total == 9)
        let menu = try learnt(listed, wanted: [1, 2], unwanted: [5])
        #expect(menu.item == "ul.menu > li" && menu.count == 3)
        // Among pictures of one list, only the classes of those that are not wanted tell.
        let mixed =
            "<main><ul>\(items(1...3))\(items(4...4, "class=ad"))\(items(5...8))</ul></main>"
        let plain = try learnt(mixed, wanted: [1, 5], unwanted: [4])
        #expect(plain.item == "li:not(.ad)" && plain.count == 7, "\(plain.item)")
        #expect(throws: PageError.self) { try learnt(mixed, wanted: [1, 5], unwanted: [2]) }
        #expect(throws: PageError.self) { try learnt(mixed, wanted: [1, 99], unwanted: [4]) }
        #expect(throws: PageError.self) { try learnt(mixed, wanted: [1, 5], unwanted: [99]) }
    }

    @Test("with everything shown, what is left out says why, and keeps its place")
    func everything() throws {
        let html =
            "<header><img src=/logo.png width=200 height=80 alt=Us></header><main>"
            + (1...4).map { "<a href='/v/\($0)'><img src='/\($0).jpg'></a>" }.joined() + "</main>"
        let response = Response(
            address: try #require(Address(testAddress)), mediaType: "text/html", headers: [],
            body: Array(html.utf8), origin: .network)
        let teaching = RecipeTeaching()
        #expect(teaching.toggle([response.address]))
        let all = try PageReader(teaching: teaching).read(response).pictures
        #expect(all.map(\.isRejected) == [true, false, false, false, false])
        #expect(all[0].summary == "in the page's frame" && all[0].title == "Us")
        #expect(try PageReader().read(response).pictures.count == 4)
    }

    @Test("an item with an album address is an album, with or without a picture")
    func albums() throws {
        let json =
            #"{"name":"x","match":".*","item":"li","thumbnail":"img@src","link":"a@href","album":"a.folder@href","description":"p"}"#
        let recipe = try Recipe(json: Array(json.utf8), file: "-")
        let found = try page(
            "<li><a class=folder href=/a/><img src=/a.jpg></a><p>Of May</p></li><li><a class=folder href=/b/>B</a></li><li><a href=/v/1><img src=/1.jpg></a></li>",
            recipes: [recipe]
        ).pictures
        #expect(found.map(\.kind) == [.album, .album, .picture])
        #expect(found.map { short($0.link) } == ["/a/", "/b/", "/v/1"])
        #expect(found.map(\.isDrawable) == [true, false, true])
        #expect(found[0].summary == "Of May")
    }

    @Test("most corpus pages are read again correctly by their generated recipes")
    func corpus() throws {
        var (pages, whole, pictures, again) = (0, 0, 0, 0)
        for fixture in CorpusTests.fixtures where fixture.type == "text/html" {
            let response = Response(
                address: try #require(Address(fixture.address)), mediaType: fixture.type,
                headers: fixture.headers, body: fixture.body, origin: .network)
            let first = try PageReader().read(response)
            let text = try text(for: response)
            let recipe = try text.map { try Recipe(json: Array($0.utf8), file: "-") }
            let found = try recipe.map { try PageReader(recipes: [$0]).read(response) }
            let second = Set(found.map { $0.pictures.map { Fixture.Entry($0) } } ?? [])
            let count = first.pictures.count { second.contains(Fixture.Entry($0)) }
            pages += 1
            pictures += first.pictures.count
            again += count
            if count == first.pictures.count, second.count == count { whole += 1 }
        }
        print("recipes: \(whole) of \(pages) pages whole, \(again) of \(pictures) pictures")
        #expect(pages > 100 && whole * 10 >= pages * 7 && again * 10 >= pictures * 8)
    }
}
