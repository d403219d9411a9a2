import Basics
import FoundationEssentials
import Glibc
import Network
import TestSupport
import Testing

@testable import Gallery

@Suite struct RecipeTests {
    private static let recipesFolder =
        #filePath.split(separator: "/").dropLast(3)
        .reduce("") { $0 + "/" + $1 } + "/Resources/Recipes"

    private static let newEra = (1...5).map { number in
        """
        <div class="grid-item image-item col-md-4" data-orientation="horizontal" data-title="Heat \(number)" data-date="2018112\(number)">
        <a href="https://www.gettyimagesgallery.com/images/heat-\(number)/?collection=auto-racing"><div class="item-wrapper">
        <img class="jq-lazy" data-src="https://www.gettyimagesgallery.com/wp-content/uploads/2018/12/GettyImages-\(number)-1024x790.jpg"
        alt="Heat \(number) from Auto Racing fine art photography"><div class="text-wrapper mt-auto"><h5 class="image-title">Heat \(number)</h5>
        <button class="btn btn-enquire" data-id="\(number)">Enquire</button></div></div></a></div>
        """
    }.joined()

    private static let oldEra = (1...4).map { number in
        """
        <div class="gallery-item-group exitemrepeater"><a href="/collections/archive/slim-\(number).aspx"><img class="picture" src="/Images/Thumbnails/1340/13405\(number).jpg"></a>
        <div class="gallery-item-caption"><p><a href="/collections/archive/slim-\(number).aspx">Slim \(number)</a></p></div></div>
        """
    }.joined()

    private func check(_ page: Page) throws {
        #expect(page.pictures.map(\.title) == (1...5).map { "Heat \($0)" })
        #expect(page.pictures.map(\.date) == (1...5).map { "2018-11-2\($0)" })
        #expect(
            page.pictures[0].image.text
                == "https://www.gettyimagesgallery.com/wp-content/uploads/2018/12/GettyImages-1-1024x790.jpg"
        )
        let largest = try #require(page.pictures[0].variants.last)
        #expect(largest.width == 1024 && largest.height == 790)
        #expect(page.pictures[0].width == nil, "the file's name is only a claim")
        #expect(
            page.pictures[0].link?.text
                == "https://www.gettyimagesgallery.com/images/heat-1/?collection=auto-racing")
    }

    /// The corpus pages that the shipped recipes are for, at addresses of such sites.
    @Test(
        "the shipped recipes read typical pages of their programs correctly",
        arguments: [
            ("mediawiki-category", "https://photos.example/wiki/Category:Trees", "MediaWiki"),
            ("jetpack-tiled", "https://photos.wordpress.com/kitchen/", "WordPress.com"),
            ("coppermine-like", "https://photos.example/thumbnails.php?album=7", "Coppermine"),
            ("booru-articles", "https://danbooru.donmai.us/posts", "Danbooru"),
        ])
    func programs(_ name: String, _ address: String, _ program: String) throws {
        let recipes = Recipe.all(in: Self.recipesFolder).recipes
        let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        let data = FileManager.default.contents(atPath: "\(folder)/Corpus/Pages/\(name).txt")
        let fixture = try Fixture(name: name, bytes: Array(try #require(data)))
        let site = try #require(Address(address))
        let recipe = try #require(recipes.first { $0.matches(site) })
        #expect(recipe.name.hasPrefix(program))
        let response = Response(
            address: site, mediaType: "text/html", headers: [], body: fixture.body, origin: .network
        )
        let found = try PageReader(recipes: [recipe]).read(response)
        #expect(found.pictures.count == fixture.pictures.count)
        #expect(
            found.pictures.map { $0.thumbnail.lastPathComponent }
                == fixture.pictures.map {
                    Address(
                        $0.thumbnail.hasPrefix("/")
                            ? "https://x.example" + $0.thumbnail : $0.thumbnail)?.lastPathComponent
                        ?? ""
                })
        if program != "Danbooru" {
            // This recipe's titles are the names of files.
            let titles = fixture.pictures.map { picture in
                program == "MediaWiki"
                    ? String(picture.link.dropFirst("/wiki/File:".count)) : picture.title
            }
            #expect(found.pictures.map(\.title) == titles)
        }
        #expect((found.next != nil) == (fixture.next != nil))
    }

    @Test("of a folder's recipes the one written last comes first")
    func order() throws {
        let folder = try ScratchFolder()
        for (age, name) in ["b", "c", "a"].enumerated() {
            let json = #"{"name":"\#(name)","match":".*","item":"li","image":"img@src"}"#
            let path = try folder.write(Array(json.utf8), to: name + ".json")
            var times = [timespec(tv_sec: 1_000_000 - age, tv_nsec: 0)]
            times.append(times[0])
            #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        }
        #expect(Recipe.all(in: folder.path).recipes.map(\.name) == ["b", "c", "a"])
    }

    @Test("the shipped recipes read both designs of the Getty Images Gallery")
    func getty() throws {
        let (recipes, errors) = Recipe.all(in: Self.recipesFolder)
        #expect(errors.isEmpty)
        let html =
            "<body><img src=/logo.png><div class='grid masonry-grid masonry-view'>\(Self.newEra)</div></body>"
        let address = "https://www.gettyimagesgallery.com/collection/auto-racing/"
        #expect(recipes.contains { $0.matches(Address(address) ?? Address(path: "/")) })
        try check(try page(html, at: address, recipes: recipes))
        let old = try page(
            "<form><div id=slider><li><img src=/s.jpg></li></div>\(Self.oldEra)</form>",
            at: "http://www.gettyimagesgallery.com/collections/archive/slim-aarons.aspx",
            recipes: recipes)
        #expect(old.pictures.map(\.title) == (1...4).map { "Slim \($0)" })
        #expect(
            old.pictures[1].thumbnail.text
                == "http://www.gettyimagesgallery.com/Images/Thumbnails/1340/134052.jpg")
    }

    @Test("the generic scraper reads the same without a recipe")
    func generic() throws {
        try check(
            try page(
                "<body><img src=/logo.png><div class='grid masonry-grid masonry-view'>\(Self.newEra)</div></body>"
            ))
        let old = try page("<form><div id=header><img src=/l.gif></div>\(Self.oldEra)</form>")
        #expect(old.pictures.map(\.title) == (1...4).map { "Slim \($0)" })
    }

    @Test(
        "an invalid recipe is reported with file, key and reason",
        arguments: [
            ("{", "r.json: is not valid JSON"), ("[]", "r.json: is not a JSON object"),
            (#"{"name":"x"}"#, "r.json: ‘match’ is missing"),
            (
                #"{"name":"x","match":"(","item":"a","image":"@b"}"#,
                "r.json: ‘match’ missing closing parenthesis at character 2"
            ),
            (
                #"{"name":"x","match":".","item":"a[","image":"@b"}"#,
                "r.json: ‘item’ the name of an attribute is missing at character 3"
            ),
            (
                #"{"name":"x","match":".","item":"a"}"#,
                "r.json: ‘thumbnail’ is missing, and so is ‘image’"
            ),
            (
                #"{"name":"x","match":".","item":"a","image":"b@"}"#,
                "r.json: ‘image’ the name of an attribute is missing at character 3"
            ),
            (
                #"{"name":"x","match":".","item":"a","image":5}"#,
                "r.json: ‘image’ must be text or null"
            ),
            (
                #"{"name":"x","match":".","item":"a","image":"@b","pause":"3-1"}"#,
                "r.json: ‘pause’ is neither seconds, as 1.5, nor a range, as 1-3"
            ),
            (
                #"{"name":"x","match":".","item":"a","image":"@b","limit-rate":"x"}"#,
                "r.json: ‘limit-rate’ is not a number of bytes, as 200k or 1M"
            ),
            (
                #"{"name":"x","match":".","item":"a","image":"@b","thumb":"c"}"#,
                "r.json: ‘thumb’ is not a key of a recipe"
            ),
        ])
    func wrong(_ json: String, _ message: String) {
        let error = #expect(throws: RecipeError.self) {
            try Recipe(json: Array(json.utf8), file: "r.json")
        }
        #expect(error?.description == message)
    }

    private func recipe(matching pattern: String) throws -> Recipe {
        let json =
            "{\"name\":\"x\",\"match\":\(JSONString.quoted(pattern)),\"item\":\"a\",\"image\":\"@b\"}"
        return try Recipe(json: Array(json.utf8), file: "r.json")
    }

    @Test("a recipe says how gently its site is asked")
    func pace() throws {
        let pace = try Recipe(
            json: Array(
                #"{"name":"x","match":".","item":"a","image":"@b","pause":"1-3","limit-rate":"2k"}"#
                    .utf8), file: "r.json"
        ).pace
        #expect(pace.pause == 1...3 && pace.rate == 2048)
        #expect(try recipe(matching: ".").pace.pause == nil)
    }

    @Test("a pattern matches the whole address, ignoring case")
    func whole() throws {
        let address = try #require(Address("https://a.example/B/c%C3%A9?d=1"))
        for pattern in [
            "https://A\\.example/b/.*", ".*", "^https?://[^/]+/\\w/.+=\\d$", "(?:x|h.*1)",
        ] {
            #expect(try recipe(matching: pattern).matches(address), "\(pattern)")
        }
        for pattern in ["https://a\\.example", "a\\.example/.*", "https://a.example/b/.*=", "é"] {
            #expect(try !recipe(matching: pattern).matches(address), "\(pattern)")
        }
    }

    /// Each of these took Swift's own regular expressions longer than anyone waits.
    @Test(
        "a pattern with catastrophic backtracking does not match", .timeLimit(.minutes(5)),
        arguments: [
            "(.*)*x", "(a*)*x", "((a+)+)+x", "(a|a)*x", "(a|aa)+x", "(.*,){11}x", "(.?){400}x",
            String(repeating: "a?", count: 400) + "x", "((((a*)*)*)*)*x", "(a*a*a*a*)*x",
            "(?:(?R)|.)*x", "(.+)(?1)(?1)\\1x",
        ])
    func backtracking(_ pattern: String) throws {
        let path = String(repeating: "a", count: 8000)
        let address = try #require(Address("https://a.example/" + path))
        #expect(try !recipe(matching: "https://a\\.example/" + pattern).matches(address))
    }

    @Test(
        "a pattern nested too deeply or too long is rejected with reason and position",
        arguments: [
            (
                String(repeating: "(", count: 10_000),
                "pattern string is longer than the limit set by the application at character 1"
            ),
            (
                String(repeating: "[", count: 3000),
                "pattern string is longer than the limit set by the application at character 1"
            ),
            (
                String(repeating: "(", count: 500),
                "parentheses are too deeply nested at character 52"
            ),
            ("a é(", "missing closing parenthesis at character 5"),
            ("[z-a]", "range out of order in character class at character 4"),
            ("((((a{99}){99}){99}){99})", "regular expression is too large at character 26"),
        ])
    func refused(_ pattern: String, _ reason: String) {
        let error = #expect(throws: RecipeError.self) { try recipe(matching: pattern) }
        #expect(error?.description == "r.json: ‘match’ \(reason)")
    }

    @Test("a recipe's own next page is used; without matches the page is left to the scraper")
    func nextAndFallback() throws {
        let json =
            #"{"name":"x","match":"https://photos\\.example/.*","item":"i","image":"@s","next":"b@to"}"#
        let recipe = try Recipe(json: Array(json.utf8), file: "r.json")
        let found = try page(
            "<i s=1.jpg></i><i s=2.jpg></i><b to=/n></b><a rel=next href=/m>x</a>",
            recipes: [recipe])
        #expect(found.pictures.map { short($0.image) } == ["/gallery/1.jpg", "/gallery/2.jpg"])
        #expect(short(found.next) == "/n")
        #expect(try page("<main><img src=1.jpg></main>", recipes: [recipe]).pictures.count == 1)
    }
}
