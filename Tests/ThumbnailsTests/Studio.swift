import Basics
import Dispatch
import ImageEncoders
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails
import Trace

typealias LoadResult = Result<Thumbnail, ThumbnailError>

/// A pipeline with a gated fetcher and real encoded pictures.
final class Studio: Sendable {
    let fetcher: GatedFetcher
    let pipeline: ThumbnailPipeline

    init(
        isOpen: Bool = true, options: ThumbnailOptions = .test,
        tracer: Tracer = .disabled
    ) {
        fetcher = GatedFetcher(isOpen: isOpen)
        pipeline = ThumbnailPipeline(
            fetcher: fetcher, options: options, tracer: tracer)
    }

    /// Returns an address that answers with a plain picture of `color`.
    func picture(
        _ name: String, color: RGB = RGB(0xC0_4020),
        size: PixelSize = PixelSize(width: 300, height: 200)
    ) throws -> Address {
        let address = try #require(Address("https://example.org/\(name)"))
        fetcher.answer(address, with: try Self.jpeg(color, size))
        return address
    }

    static func jpeg(_ color: RGB, _ size: PixelSize) throws -> [UInt8] {
        try ImageEncoder.jpeg(PixelBuffer(filledWith: color, size: size))
    }

    /// Requests a thumbnail.
    func load(
        _ request: ThumbnailRequest, priority: Priority = .visible
    ) -> (subscription: Subscription, answer: Answer) {
        let answer = Answer()
        let subscription = pipeline.load(request, priority: priority, flow: .none) {
            result in
            PipelineActor.assumeIsolated {}
            answer.give(result)
        }
        return (subscription, answer)
    }

    /// Waits until the pipeline has done everything requested so far, including follow-up work.
    func settle() {
        for _ in 0..<10 {
            PipelineActor.settle(hops: 1)
        }
    }
}

/// The answers to a load, to check that there is exactly one.
final class Answer: Sendable {
    private let results = Locked<[LoadResult]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func give(_ result: LoadResult) {
        results.withLock { $0.append(result) }
        arrived.signal()
    }

    var count: Int { results.withLock(\.count) }

    /// Waits for the answer.
    func wait() throws -> LoadResult {
        try #require(arrived.wait(timeout: .testDeadline) == .success, "no answer came")
        arrived.signal()
        let first = results.withLock { $0.first }
        return try #require(first)
    }

    func thumbnail() throws -> Thumbnail {
        try wait().get()
    }
}

extension ThumbnailRequest {
    /// Returns a request for a grid tile of 24 columns by default.
    static func tile(
        _ address: Address, columns: Int = 24, rows: Int = 12, style: RenderStyle = RenderStyle(),
        generation: CacheGeneration = .any
    ) -> ThumbnailRequest {
        ThumbnailRequest(
            address: address, box: CellSize(columns: columns, rows: rows), style: style,
            generation: generation)
    }
}

extension Studio {
    /// Returns the size of the file that `address` answers with, in bytes.
    func fetcherBytes(_ address: Address) -> Int {
        fetcher.answerCount(address)
    }

    /// Returns a PNG, red on the left and blue on the right.
    static func halves() throws -> [UInt8] {
        var picture = PixelBuffer(
            filledWith: RGB(0xFF_0000), size: PixelSize(width: 80, height: 40))
        for row in 0..<40 {
            for column in 40..<80 {
                picture.bytes.replaceSubrange(
                    (row * 80 + column) * 4..<(row * 80 + column) * 4 + 4, with: [0, 0, 255, 255])
            }
        }
        return try ImageEncoder.png(picture)
    }
}
