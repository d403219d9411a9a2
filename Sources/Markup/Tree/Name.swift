/// The name of an element or attribute, as a number: comparing two costs nothing.
///
/// The well-known ones below have the same number in every document.
public struct Name: Hashable, Sendable {
    let id: UInt16

    init(id: UInt16) {
        self.id = id
    }

    /// No name: that of the root.
    static let none = Name(id: 0)
    /// A run of text.
    static let text = Name(id: 1)

    static let wellKnown: [String] = [
        "", "#text", "a", "alt", "article", "aside", "base", "body", "button", "class", "div",
        "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head",
        "header", "height", "hidden", "href", "html", "id", "img", "input", "label", "li", "link",
        "main", "nav", "noscript", "ol", "p", "picture", "pre", "rel", "role", "script", "section",
        "source", "span", "src", "srcset", "style", "svg", "table", "tbody", "td", "template",
        "textarea", "th", "time", "title", "tr", "type", "ul", "video", "width", "plaintext",
        "aria-label", "aria-hidden", "datetime", "meta", "name", "content", "image", "iframe",
        "option", "select", "item", "entry", "channel", "br",
    ]

    static let wellKnownIDs: [String: UInt16] = Dictionary(
        uniqueKeysWithValues: wellKnown.enumerated().map { ($1, UInt16($0)) })

    /// One of the well-known names; `none` for any other, which is a mistake that every test would show.
    private static func known(_ text: String) -> Name {
        Name(id: wellKnownIDs[text] ?? 0)
    }
}

extension Name {
    /// An element.
    public static let a = known("a")
    /// An element.
    public static let article = known("article")
    /// An element.
    public static let aside = known("aside")
    /// An element.
    public static let base = known("base")
    /// An element.
    public static let body = known("body")
    /// An element.
    public static let button = known("button")
    /// An element.
    public static let div = known("div")
    /// An element.
    public static let figcaption = known("figcaption")
    /// An element.
    public static let figure = known("figure")
    /// An element.
    public static let footer = known("footer")
    /// An element.
    public static let form = known("form")
    /// An element.
    public static let h1 = known("h1")
    /// An element.
    public static let h2 = known("h2")
    /// An element.
    public static let h3 = known("h3")
    /// An element.
    public static let h4 = known("h4")
    /// An element.
    public static let h5 = known("h5")
    /// An element.
    public static let h6 = known("h6")
    /// An element.
    public static let head = known("head")
    /// An element.
    public static let header = known("header")
    /// An element.
    public static let html = known("html")
    /// An element.
    public static let img = known("img")
    /// An element.
    public static let li = known("li")
    /// An element.
    public static let link = known("link")
    /// An element.
    public static let main = known("main")
    /// An element.
    public static let nav = known("nav")
    /// An element.
    public static let noscript = known("noscript")
    /// An element.
    public static let picture = known("picture")
    /// An element.
    public static let pre = known("pre")
    /// An element.
    public static let script = known("script")
    /// An element.
    public static let section = known("section")
    /// An element.
    public static let source = known("source")
    /// An element.
    public static let style = known("style")
    /// An element.
    public static let template = known("template")
    /// An element.
    public static let textarea = known("textarea")
    /// An element.
    public static let time = known("time")
    /// An element, or an attribute.
    public static let title = known("title")
    /// An element.
    public static let tr = known("tr")
    /// An element.
    public static let td = known("td")
    /// An element.
    public static let video = known("video")
    /// An element.
    public static let image = known("image")
    /// An element.
    static let plaintext = known("plaintext")
    /// An attribute.
    public static let alt = known("alt")
    /// An attribute.
    public static let ariaHidden = known("aria-hidden")
    /// An attribute.
    public static let ariaLabel = known("aria-label")
    /// An attribute.
    public static let `class` = known("class")
    /// An attribute.
    public static let datetime = known("datetime")
    /// An attribute.
    public static let height = known("height")
    /// An attribute.
    public static let hidden = known("hidden")
    /// An attribute.
    public static let href = known("href")
    /// An attribute.
    public static let id = known("id")
    /// An attribute.
    public static let rel = known("rel")
    /// An attribute.
    public static let role = known("role")
    /// An attribute.
    public static let src = known("src")
    /// An attribute.
    public static let srcset = known("srcset")
    /// The attribute, which shares its number with the element.
    public static let styleAttribute = style
    /// An attribute.
    public static let type = known("type")
    /// An attribute.
    public static let width = known("width")
}
