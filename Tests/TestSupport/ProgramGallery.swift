import ImageEncoders
public import Raster

/// A gallery on a loopback server: pages of figures, each picture in its own colour.
///
/// Pages are at `/gallery/1` and so on, each linking to the next. A picture's thumbnail is at `/thumbs/1.png` and so on, its full size, in
/// another colour, at `/full/1.png`. Tests can override any response with `server.route`.
public final class ProgramGallery: Sendable {
    /// The server.
    public let server: LoopbackServer
    /// The title.
    public let title: String
    /// The numbers of all pictures.
    public let pictures: Range<Int>
    /// The number of pictures per page; the last page may have fewer.
    public let perPage: Int

    /// Creates a gallery of `count` pictures numbered from `first`.
    public init(
        title: String = "Paddock", first: Int = 1, count: Int = 12, perPage: Int = 12
    ) throws {
        server = try LoopbackServer()
        self.title = title
        self.perPage = perPage
        pictures = first..<first + count
        for page in 1...pageCount {
            server.route(pagePath(page)) { [html = html(page)] _ in .html(html) }
        }
        for number in pictures {
            server.route(thumbnailPath(number)) { _ in .picture(Self.color(number)) }
            server.route(fullPath(number)) { _ in .picture(Self.fullColor(number)) }
        }
    }

    /// The number of pages.
    public var pageCount: Int { max(1, (pictures.count + perPage - 1) / perPage) }
    /// The address of the first page.
    public var address: String { server.url(pagePath(1)) }
    /// Returns the path of a page, from 1.
    public func pagePath(_ page: Int) -> String { "/gallery/\(page)" }
    /// Returns the path of a picture's thumbnail.
    public func thumbnailPath(_ number: Int) -> String { "/thumbs/\(number).png" }
    /// Returns the path of a picture's full size.
    public func fullPath(_ number: Int) -> String { "/full/\(number).png" }
    /// The number of requests for each page.
    public var pageRequests: [Int] { (1...pageCount).map { server.count(of: pagePath($0)) } }

    /// Returns the title of a picture; no title is a prefix of another.
    public static func title(_ number: Int) -> String {
        let digits = String(number)
        return "Picture " + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    /// Returns the colour of a thumbnail: unique for the first 105 pictures, and in the 256-colour palette.
    public static func color(_ number: Int) -> RGB { cube(2 * number) }

    /// Returns the colour of the full size, which differs from all thumbnails.
    public static func fullColor(_ number: Int) -> RGB { cube(2 * number + 1) }

    /// Returns the page's markup; `linked` is the path of the next page if not the default.
    public func html(_ page: Int, linked: String? = nil) -> String {
        let start = pictures.lowerBound + (page - 1) * perPage
        let figures = (start..<min(start + perPage, pictures.upperBound)).map { number in
            """
            <figure class="item"><a href="\(fullPath(number))">\
            <img src="\(thumbnailPath(number))" width="80" height="60" alt=""></a>\
            <figcaption>\(Self.title(number))</figcaption></figure>
            """
        }
        let path = linked ?? (page < pageCount ? pagePath(page + 1) : nil)
        let next = path.map { "<a rel=\"next\" href=\"\($0)\">Next</a>" } ?? ""
        return """
            <!DOCTYPE html><html><head><title>\(title)</title></head><body><h1>\(title)</h1>
            <div class="gallery">
            \(figures.joined(separator: "\n"))
            </div><nav class="pagination">\(next)</nav></body></html>
            """
    }

    /// The colours of the 6×6×6 cube without greys, ordered so that neighbours differ strongly.
    private static func cube(_ index: Int) -> RGB {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let colors = (0..<216).map { $0 * 77 % 216 }.filter { $0 % 43 != 0 }
        let code = colors[index % colors.count]
        return RGB(
            red: levels[code / 36], green: levels[code / 6 % 6], blue: levels[code % 6])
    }
}

extension ServerResponse {
    /// Returns a 4:3 PNG in one colour.
    public static func picture(_ color: RGB) -> Self {
        .bytes(ProgramPictures.png(color), type: "image/png")
    }
}

/// Pictures for the program to show.
public enum ProgramPictures {
    /// Returns a PNG in one colour.
    public static func png(_ color: RGB, width: Int = 80, height: Int = 60) -> [UInt8] {
        (try? ImageEncoder.png(flat(color, width: width, height: height), PNGOptions(kind: .rgb)))
            ?? []
    }

    /// Returns a JPEG in one colour.
    public static func jpeg(_ color: RGB, width: Int = 80, height: Int = 60) -> [UInt8] {
        (try? ImageEncoder.jpeg(flat(color, width: width, height: height))) ?? []
    }

    /// Returns a red JPEG of more than three megabytes, as a camera's, with a green thumbnail if it `hasThumbnail`.
    public static func photograph(hasThumbnail: Bool = true) -> [UInt8] {
        let main = jpeg(RGB(0xC0_2020), width: 1200, height: 900)
        let thumbnail = hasThumbnail ? jpeg(RGB(0x20_C020), width: 160, height: 120) : nil
        // What follows its end is no part of a picture.
        return ImageEncoder.jpeg(main, thumbnail: thumbnail) + [UInt8](repeating: 0, count: 3 << 20)
    }

    private static func flat(_ color: RGB, width: Int, height: Int) -> PixelBuffer {
        let pixel = [color.red, color.green, color.blue, 255]
        let row = [UInt8]((0..<width).map { _ in pixel }.joined())
        let bytes = [UInt8]((0..<height).map { _ in row }.joined())
        return PixelBuffer(
            size: PixelSize(width: width, height: height), bytes: bytes, isOpaque: true)
    }
}
