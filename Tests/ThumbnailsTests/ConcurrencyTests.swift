import Dispatch
import ImageCodecs
import ImageEncoders
import Raster
import Synchronization
import Testing

@Suite("Decoders share no state")
struct ConcurrencyTests {
    @Test("many threads decoding at once get the same result as one")
    func threads() throws {
        var scene = PixelBuffer(
            filledWith: RGB(0x20_4060), size: PixelSize(width: 120, height: 90))
        // Noise, so that 3,000 bytes are but a part of the last file.
        var state: UInt64 = 1
        for index in scene.bytes.indices where index % 4 < 3 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            scene.bytes[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
        let files = [
            try ImageEncoder.jpeg(scene), try ImageEncoder.jpeg(scene, .init(isProgressive: true)),
            try ImageEncoder.png(scene), try ImageEncoder.webp(scene), try ImageEncoder.gif(scene),
            Array(try ImageEncoder.png(scene).prefix(3000)),
        ]
        let target = PixelSize(width: 30, height: 20)
        let decoder = ImageDecoder()
        let expected = try files.map { try decoder.decode(FileBytes($0), covering: target).pixels }
        let differences = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 120) { round in
            let index = round % files.count
            let found = try? decoder.decode(FileBytes(files[index]), covering: target).pixels
            if found != expected[index] {
                differences.wrappingAdd(1, ordering: .relaxed)
            }
        }
        #expect(differences.load(ordering: .relaxed) == 0)
    }
}
