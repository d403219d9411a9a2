import Testing

@testable import Raster

/// Cut-outs stay visible on every background.
@Suite struct SilhouetteTests {
    static let dark = RGB(0x000000)
    static let light = RGB(0xFFFFFF)

    /// Returns a disc of `color` with a smooth edge that covers half of the picture; the rest is transparent.
    private func logo(_ color: RGB, inside: RGB? = nil) -> PixelBuffer {
        let distance = { (x: Int, y: Int) -> Double in
            let across = Double(x) - 31.5
            let down = Double(y) - 31.5
            return (across * across + down * down).squareRoot()
        }
        return PixelBuffer(64, 64) { x, y in distance(x, y) < 15 ? inside ?? color : color }
            .withAlpha { x, y in UInt8(max(0, min(255, (25 - distance(x, y)) * 128 + 128))) }
    }

    @Test(
        "a logo similar to the background gets a contrasting one, any other keeps its own",
        arguments: [
            (0x000000, dark, true), (0x101030, dark, true), (0x500000, dark, true),
            (0xE01010, dark, false), (0x808080, dark, false), (0xFFFFFF, dark, false),
            (0x0000FF, dark, false), (0x000000, light, false), (0xFFFFFF, light, true),
            (0xFFFF00, light, true), (0xFFA500, light, false), (0x808080, light, false),
        ] as [(UInt32, RGB, Bool)])
    func card(color: UInt32, background: RGB, isOther: Bool) throws {
        let picture = logo(RGB(color))
        let silhouette = try #require(Silhouette(picture))
        let tint = picture.dominantColor.tint(on: background, under: silhouette)
        #expect(tint.isDark == (background.isDark != isOther), "\(tint)")
        #expect(contrastRatio(RGB(color), tint) >= 1.6)
        var style = RenderStyle(background: background)
        #expect(style.ground(for: tint, under: silhouette) == tint)
        style.isTinted = false
        let ground = style.ground(for: tint, under: silhouette)
        #expect(ground.isDark == (background.isDark != isOther))
        #expect(contrastRatio(RGB(color), ground) >= 1.6)
        if !isOther { #expect(ground == background) }
    }

    @Test("a multicoloured logo gets the background that shows more of it")
    func mixed() throws {
        // The inside covers about a third of the disc.
        let blackAroundRed = try #require(Silhouette(logo(RGB(0), inside: RGB(0xFF2020))))
        #expect(!RGB(0x400000).tint(on: Self.dark, under: blackAroundRed).isDark)
        let share = blackAroundRed.visibleShare(on: Self.dark)
        #expect(share > 0.3 && share < 0.45)
        let whiteAroundBlack = try #require(Silhouette(logo(RGB(0xFFFFFF), inside: RGB(0))))
        #expect(RGB(0x808080).tint(on: Self.dark, under: whiteAroundBlack).isDark)
    }

    @Test("dark pictures with round corners, round portraits and opaque ones are not cut-outs")
    func frames() {
        let night = PixelBuffer(64, 64) { x, y in RGB(UInt32(x / 8 + y / 8) * 0x010101) }
        #expect(Silhouette(night) == nil)
        let portrait = night.withAlpha { x, y in
            (x - 32) * (x - 32) + (y - 32) * (y - 32) < 32 * 32 ? 255 : 0
        }
        #expect(Silhouette(portrait) == nil)
        #expect(Silhouette(night.withAlpha { _, _ in 0 }) == nil)
        #expect(Silhouette(night.withAlpha { x, _ in x < 20 ? 255 : 0 }) != nil)
    }

    @Test("in mono a black drawing on a dark terminal is drawn on light, tinted or not")
    func mono() {
        let silhouette = Silhouette(logo(RGB(0)))
        for isTinted in [true, false] {
            let style = RenderStyle(depth: .mono, isTinted: isTinted)
            #expect(style.ground(for: RGB(0x2E2E2E), under: silhouette) == RGB(0xFFFFFF))
            #expect(style.ground(for: RGB(0x2E2E2E), under: nil) == RGB(0))
        }
    }
}
