import Raster
import Testing

/// Rotating and flipping pictures for viewing.
@Suite struct TurnTests {
    private static let turns: [Turn] = (0..<8).map { number in
        var turn = Turn()
        if number >= 4 { turn.flip(isVertical: false) }
        turn.rotate(by: number)
        return turn
    }

    @Test("every pixel comes from the computed source position", arguments: turns)
    func pixels(turn: Turn) {
        let size = PixelSize(width: 3, height: 2)
        let source = PixelBuffer(
            size: size, bytes: (0..<6).flatMap { [UInt8($0), 0, 0, 255] }, isOpaque: true)
        let seen = source.turned(turn)
        #expect(seen.size == turn.turned(size))
        let (width, height) = (seen.size.width, seen.size.height)
        for y in 0..<height {
            for x in 0..<width {
                let part = turn.source(
                    of: UnitRect(
                        x: Double(x) / Double(width), y: Double(y) / Double(height),
                        width: 1 / Double(width), height: 1 / Double(height)))
                let column = Int((part.x * 3).rounded())
                let row = Int((part.y * 2).rounded())
                #expect(seen.bytes[(y * width + x) * 4] == UInt8(row * 3 + column))
            }
        }
    }

    @Test("rotating and flipping apply to what is seen, whatever came before")
    func composition() {
        func seen(_ change: (inout Turn) -> Void) -> [UInt8] {
            var turn = Turn()
            change(&turn)
            let source = PixelBuffer(
                size: PixelSize(width: 2, height: 2),
                bytes: [1, 2, 3, 4].flatMap { [UInt8($0), 0, 0, 255] }, isOpaque: true)
            let bytes = source.turned(turn).bytes
            return stride(from: 0, to: 16, by: 4).map { bytes[$0] }
        }
        #expect(seen { $0.rotate(by: 1) } == [3, 1, 4, 2])
        #expect(seen { $0.rotate(by: -1) } == [2, 4, 1, 3])
        #expect(seen { $0.flip(isVertical: false) } == [2, 1, 4, 3])
        #expect(seen { $0.flip(isVertical: true) } == [3, 4, 1, 2])
        let both = seen {
            $0.rotate(by: 1)
            $0.flip(isVertical: false)
        }
        #expect(both == [1, 3, 2, 4])
        let upsideDown = seen {
            $0.rotate(by: 1)
            $0.flip(isVertical: true)
        }
        #expect(upsideDown == [4, 2, 3, 1])
    }

    @Test("two turns are one, and three more of any take it back", arguments: turns)
    func following(turn: Turn) {
        let source = PixelBuffer(
            size: PixelSize(width: 3, height: 2),
            bytes: (0..<6).flatMap { [UInt8($0), 0, 0, 255] }, isOpaque: true)
        for other in Self.turns {
            #expect(
                source.turned(turn).turned(other) == source.turned(turn.followed(by: other)))
        }
        let thrice = turn.followed(by: turn).followed(by: turn)
        #expect(turn.followed(by: thrice) == Turn())
    }
}
