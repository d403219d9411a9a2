import Testing

@testable import Gallery

/// The signs of a next page, by their reliability.
@Suite struct NextPageTests {
    private static let photos = (1...3).map { "<li><img src='/\($0).jpg'></li>" }.joined()

    private func next(
        _ html: String, at address: String = testAddress,
        headers: [(name: String, value: String)] = []
    ) throws -> String {
        short(
            try page("<body><ul>\(Self.photos)</ul>\(html)</body>", at: address, headers: headers)
                .next)
    }

    @Test("the Link header takes precedence")
    func header() throws {
        let headers = [
            (
                name: "link",
                value: "</gallery/?page=9>; rel=\"last\", </gallery/?page=2>; rel=\"next\""
            )
        ]
        #expect(
            try next("<a rel=next href='?page=5'>x</a>", headers: headers) == "/gallery/?page=2")
    }

    @Test(
        "every sign of a next page is recognised",
        arguments: [
            "<link rel=next href='?page=2'>", "<a rel='nofollow next' href='?page=2'>x</a>",
            "<a class='page-numbers next' href='?page=2'>x</a>",
            "<li class=next><a href='?page=2'>x</a></li>",
            "<div class='nav-previous'><a href='?page=2'>alt</a></div>",
            "<a aria-label='Next page' href='?page=2'>x</a>",
            "<span class='page-numbers current'>1</span><a href='?page=2'>2</a>",
            "<ul><li class=active><a href='?page=1'>1</a></li><li><a href='?page=2'>2</a></li></ul>",
            "<a aria-current=page href='?page=1'>1</a><a href='?page=2'>2</a>",
            "<a href='?page=2'>Next &raquo;</a>",
            "<a href='?page=2'>下一页</a>", "<a href='?page=2'> Older  posts </a>",
            "<a href='?page=2'>Weiter</a>", "<a href='?page=2'>›</a>",
            "<a href='?page=2'>Следующая</a>",
            "<a href='?page=2'><img src=/arrow.png alt=next width=20 height=20></a>",
            "<a href='?page=2'><img src=/arrow.png alt='Go to next comic.'></a>",
            "<a href='?page=2' title='Drzewa - następna strona'><span><img src=/arrow.png></span></a>",
            "<a href='?page=2'>zur nächsten Seite</a>", "<a href='?page=2'>Next Comic</a>",
            "<a href='?page=2'>next</a> <a href='?page=9'>>></a>",
            "<a href='javascript:void(0)' onclick=\"openLink('?page=2')\">next</a>",
            "<input type=button value='Sonraki Sayfa >>' onclick='go(\"?page=2\", \"_self\")'>",
        ])
    func signs(_ html: String) throws {
        #expect(try next(html) == "/gallery/?page=2")
    }

    @Test("page numbers continue after the one that is not linked")
    func numbers() throws {
        let row = "<a href='/page/1/'>1</a><a href='/page/2/'>2</a> 3 <a href='/page/4/'>4</a>"
        #expect(try next(row, at: "https://photos.example/page/3/") == "/page/4/")
        let last = "<a href='/page/1/'>1</a><a href='/page/2/'>2</a> 3"
        #expect(try next(last, at: "https://photos.example/page/3/") == "-")
    }

    @Test(
        "links elsewhere or nowhere are not the next page",
        arguments: [
            "<a rel=next href='#'>x</a>", "<a rel=next href='https://other.example/2'>x</a>",
            "<a class=next href='javascript:go()'>Next</a>",
            "<a href='?page=9'>»|</a>", "<a href='?page=9'>Last</a>",
            "<a rel=prev href='?page=9'>Older</a>", "<a href='/2019'>2019</a>",
            "<a href='/x'>The next big thing in racing</a>",
            "<a class=next href='/1.jpg'>x</a>",
            "<a rel=next href='/gallery/'>x</a>",
            "<a href='?page=9'>What to do next</a>", "<a class=next href='/vote?id=3'>Next</a>",
            "<a href='#' onclick=\"$('.wall').slide('next')\">Next</a>",
            "<ul><li class=current>1</li><li><a href='/rate/7/2'>2</a></li></ul>",
            "<table><td>1</td><td><a href='/2026/11/02/'>2</a></td><td>3</td></table>",
            "Rate: <a href='?stars=1'>1</a> <a href='?stars=2'>2</a> <a href='?stars=3'>3</a>",
        ])
    func traps(_ html: String) throws {
        #expect(try next(html) == "-")
    }

    @Test("on a slide page, next leads to the next picture, not the next page")
    func slides() throws {
        let slide =
            "<main><img src='/big.jpg' width=1200 height=800></main><a rel=contents href=index.html>up</a><a rel=next href=2.html>next</a>"
        #expect(try page(slide).next == nil)
    }

    @Test("a page that only names a next page is marked as having no pictures")
    func withoutPictures() throws {
        let found = try page("<link rel=next href='?page=2'><p>Nothing on this one.</p>")
        #expect(found.isWithoutPictures)
        #expect(short(found.next) == "/gallery/?page=2")
    }
}
