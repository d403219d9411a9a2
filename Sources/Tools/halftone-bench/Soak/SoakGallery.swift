import Basics
import ImageEncoders
import Pipeline
import Raster
import TestSupport

/// An endless gallery on a server that fails on command; which request fails, and how, follows from the seed.
final class SoakGallery: Sendable {
    private static let perPage = 30

    let server: LoopbackServer
    private let isFailing = Locked(false)

    init(seed: UInt64) throws {
        server = try LoopbackServer()
        let small = try Self.pictures(PixelSize(width: 240, height: 160))
        let large = try Self.pictures(PixelSize(width: 1200, height: 800))
        let answers: [(prefix: String, answer: @Sendable (Int) -> ServerResponse)] = [
            ("/page/", { .html(Self.page($0)) }),
            ("/small/", { .bytes(small[$0 % small.count], type: "image/jpeg") }),
            ("/large/", { .bytes(large[$0 % large.count], type: "image/jpeg") }),
        ]
        for (prefix, answer) in answers {
            server.route(below: prefix) { [isFailing] request in
                let number = Int(request.path.dropFirst(prefix.utf8.count)) ?? 0
                guard isFailing.withLock(\.self) else { return answer(number) }
                let name = "\(request.path) \(request.number)".utf8
                var chance = SplitMix(state: name.reduce(seed) { $0 &* 31 &+ UInt64($1) })
                return Self.failed(answer(number), &chance)
            }
        }
    }

    /// Makes about two of three requests fail from now on, or none.
    func setFailing(_ isFailing: Bool) { self.isFailing.withLock { $0 = isFailing } }

    private static func failed(
        _ answer: ServerResponse, _ chance: inout SplitMix
    ) -> ServerResponse {
        let half = answer.body.count / 2
        let noise = (0..<3000).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
        switch chance.next() % 16 {
        case 0: return answer.delivered(.reset(after: half))
        case 1: return answer.delivered(.truncated(after: half))
        case 2: return answer.delivered(.stalled(after: half))
        case 3: return answer.delivered(.stalled(after: 0))
        case 4: return answer.delivered(.dropped)
        case 5: return .status(503, headers: [("Retry-After", "1")])
        case 6: return .status(500)
        case 7: return .status(404)
        case 8: return .bytes(noise, type: "image/jpeg")
        case 9: return .bytes(Array("<p>No.</p>".utf8), type: "text/html")
        case 10: return answer.delivered(.drip(bytes: 1000, milliseconds: 20))
        default: return answer
        }
    }

    private static func page(_ number: Int) -> String {
        let figures = (number * perPage..<(number + 1) * perPage).map {
            "<figure><a href=/large/\($0)><img src=/small/\($0) width=240 height=160></a>"
                + "<figcaption>Picture \($0)</figcaption></figure>"
        }
        return "<title>Endless</title><main>\(figures.joined())</main>"
            + "<a rel=next href=/page/\(number + 1)>next</a>"
    }

    private static func pictures(_ size: PixelSize) throws -> [[UInt8]] {
        try (0..<8).map { number in
            var random = SplitMix(state: UInt64(number))
            let bytes = (0..<size.width * size.height).flatMap { _ -> [UInt8] in
                [UInt8(number * 30), 190 + UInt8(random.next() & 31), 120, 255]
            }
            return try ImageEncoder.jpeg(
                PixelBuffer(size: size, bytes: bytes, isOpaque: true), JPEGOptions(quality: 80))
        }
    }
}
