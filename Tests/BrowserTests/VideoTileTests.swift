import ImageCodecs
import Raster
import Testing
import Thumbnails

@testable import Browser

@Suite("The length of a video") struct VideoTileTests {
    @Test(
        "is told in minutes and seconds",
        arguments: [(0, nil), (7, "0:07"), (42, "0:42"), (3725, "62:05")])
    func duration(seconds: Int, text: String?) {
        var facts = PictureFacts(
            size: PixelSize(width: 2, height: 1), format: .video, byteCount: 1, dominant: RGB(0))
        facts.seconds = seconds
        #expect(facts.duration == text && !facts.isAnimated)
    }
}
