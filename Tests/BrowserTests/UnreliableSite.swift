import ImageEncoders
import Raster
import TestSupport

/// A gallery of small real pictures, with a server that does everything servers do wrong.
struct UnreliableSite {
    let server: LoopbackServer

    private static let pageCount = 8
    private static let picturesPerPage = 60

    init() throws {
        server = try LoopbackServer()
        let pictures = try (0..<6).map { number -> [UInt8] in
            let pixels = PixelBuffer(
                filledWith: RGB(0x203040 * UInt32(number + 1)),
                size: PixelSize(width: 60 + 10 * number, height: 45))
            return number.isMultiple(of: 2)
                ? try ImageEncoder.jpeg(pixels) : try ImageEncoder.png(pixels)
        }
        server.route(below: "/page/") { request in
            let page = Int(request.path.dropFirst(6)) ?? 0
            // The fifth page fails at first.
            return page == 5 && request.number == 1 ? .status(500) : .html(Self.page(page))
        }
        server.route(below: "/picture/") { request in
            let number = Int(request.path.dropFirst(9).prefix(while: \.isNumber)) ?? 0
            return Self.answer(number, request, pictures[number % pictures.count])
        }
    }

    private static func page(_ page: Int) -> String {
        let figures = (page * picturesPerPage..<(page + 1) * picturesPerPage).map {
            "<figure><img src=/picture/\($0).jpg width=300 height=225>"
                + "<figcaption>Tile \($0)</figcaption></figure>"
        }
        let next = page + 1 < pageCount ? "<a rel=next href=/page/\(page + 1)>next</a>" : ""
        return "<title>Walk</title><main>\(figures.joined())</main>\(next)"
    }

    /// Returns two in three pictures correctly; the others each have a fault, some of them a temporary one.
    private static func answer(
        _ number: Int, _ request: ServerRequest, _ bytes: [UInt8]
    ) -> ServerResponse {
        let picture = ServerResponse.bytes(bytes, type: "image/jpeg")
        switch number % 31 {
        case 3: return .status(404)
        case 6: return request.number % 3 == 0 ? picture : .status(503)
        case 9: return request.number % 2 == 0 ? picture : picture.delivered(.dropped)
        case 12: return picture.delivered(.truncated(after: bytes.count / 2))
        case 15 where request.number == 1: return picture.delivered(.stalled(after: 100))
        case 18: return picture.delayed(milliseconds: 3)
        case 20: return picture.delivered(.drip(bytes: 100, milliseconds: 1))
        case 21: return .redirect(to: "/picture/\(number + 1).jpg")
        case 24: return .bytes(Array("not a picture".utf8), type: "image/jpeg")
        case 26: return picture.delivered(.chunked)
        case 28: return .bytes([], type: "image/jpeg")
        default: return picture
        }
    }
}
