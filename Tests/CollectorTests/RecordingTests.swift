import Archives
import Basics
import Dispatch
import Gallery
import Glibc
import Network
import Pipeline
import State
import TestSupport
import Testing

@testable import Collector

/// What is kept of the web, and what is new in followed galleries.
@Suite struct RecordingTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test("a redirected picture is recorded at both addresses, with the date, for this user only")
    func redirected() throws {
        let (asked, moved) = (
            try #require(Address("https://a.example/1")),
            try #require(Address("https://b.example/1.png"))
        )
        let path = scratch.path + "/a.warc.gz"
        let recorder = try WebRecorder(path: path)
        let start = FolderEntry.isoDate(secondsSince1970: time(nil))
        recorder.record(
            Response(address: moved, body: [1, 2, 3], origin: .network),
            to: Request(asked, for: .picture)
        ) {}
        #expect(recorder.finish() == nil)
        let archive = try Archive(path: path, limit: 100)
        #expect(Set(archive.entries.map(\.location)) == [asked.text, moved.text])
        for entry in archive.entries {
            #expect(try archive.contents(of: entry.path) == [1, 2, 3])
        }
        let lines = try Tool.output(of: "sh", ["-c", "gunzip -c '\(path)' | tr -d '\\r'"])
        let dates = lines.filter { $0.hasPrefix("WARC-Date: ") }.map { $0.dropFirst(11) }
        let end = FolderEntry.isoDate(secondsSince1970: time(nil))
        #expect(dates.count == 2 && dates.allSatisfy { start <= $0 && $0 <= end }, "\(dates)")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("news are followed to older pages only as long as nothing on a page was seen")
    func news() throws {
        let state = StateStore(folder: scratch.path + "/state") { Issue.record("\($0)") }
        let fetcher = GatedFetcher()
        let followed = FollowedGalleries(state: state, fetcher: fetcher)
        let gallery = try #require(Address("https://a.example/"))
        let next = try #require(Address("https://a.example/2"))
        let pictures = try (1...4).map { number in
            let address = try #require(Address("https://a.example/\(number).png"))
            fetcher.answer(address, with: [UInt8(number)])
            return Picture(
                variants: [.init(address: address)], page: gallery, title: "\(number)")
        }
        state.setFollowed(gallery.text, true)
        state.keep(seen: [pictures[3].image.text])
        func reduced(_ pictures: ArraySlice<Picture>) -> Page? {
            let (result, done) = (Locked<Page?>(nil), DispatchSemaphore(value: 0))
            followed.markNew(
                Page(address: gallery, title: "", pictures: pictures, next: next), at: gallery,
                isReduced: true
            ) { page in
                result.withLock { $0 = page }
                done.signal()
            }
            #expect(done.wait(timeout: .testDeadline) == .success)
            return result.withLock(\.self)
        }
        let new = reduced(pictures[..<2])
        #expect(new?.pictures.count == 2 && new?.next == next)
        let last = reduced(pictures[2...])
        #expect(last?.pictures.map(\.title) == ["3"] && last?.next == nil)
    }
}
