import Basics
import Gallery
import ImageCodecs
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

@testable import Browser

/// Pictures of the web that are on this machine as well.
@MainActor @Suite("The same picture on this machine") struct TwinTests {
    /// Knows a large and a small copy by different fingerprints.
    private struct Copies: PictureIndexing {
        static let (large, small) = (UInt64(1), UInt64(2))

        func find(_ fingerprint: UInt64, found: @escaping Receiver<IndexedPicture>) {
            let isLarge = fingerprint == Self.large
            IndexedPicture(
                path: isLarge ? "/large.jpg" : "/small.jpg", fingerprint: fingerprint,
                width: isLarge ? 800 : 200, height: isLarge ? 600 : 150
            ).map(found)
        }

        func index(_ address: Address, completion: @escaping Receiver<Int>) {}
    }

    /// Knows a picture from when it is indexed.
    private struct Saved: PictureIndexing {
        private let isIndexed = Locked(false)

        func find(_ fingerprint: UInt64, found: @escaping Receiver<IndexedPicture>) {
            guard isIndexed.withLock(\.self) else { return }
            IndexedPicture(path: "/saved.jpg", fingerprint: 1, width: 1200, height: 800).map(found)
        }

        func index(_ address: Address, completion: @escaping Receiver<Int>) {
            isIndexed.withLock { $0 = true }
            completion(1)
        }
    }

    @Test("what is saved is known to be on this machine at once")
    func saved() throws {
        let rig = Rig([[3]], index: Saved())
        rig.loadPages()
        rig.loadPictures()
        let section = rig.model.gallery.level.sections[0]
        #expect(section.picture(at: 0)?.twin == nil)
        rig.type("s")
        rig.saving.answer(.success("/saved.jpg"))
        rig.settle()
        #expect(section.picture(at: 0)?.twin?.path == "/saved.jpg")
    }

    @Test("the largest copy stays known, if the picture looks like a smaller one at another size")
    func largest() throws {
        let rig = Rig([[3]], index: Copies())
        rig.loadPages()
        let section = rig.model.gallery.level.sections[0]
        var facts = PictureFacts(
            size: PixelSize(width: 800, height: 600), format: .jpeg, byteCount: 1, dominant: RGB(0))
        for fingerprint in [Copies.small, Copies.large, Copies.small] {
            facts.fingerprint = fingerprint
            section.record(facts, of: Rig.image(0, 0, 0), at: 0)
            rig.main.drain()
        }
        let twin = try #require(section.picture(at: 0)?.twin)
        #expect(twin.path == "/large.jpg" && !twin.isSmaller)
    }
}
