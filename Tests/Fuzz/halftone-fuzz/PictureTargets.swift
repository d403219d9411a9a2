import Raster

@testable import ImageCodecs

/// A picture file: what its camera says, whole, reduced, turned, its embedded ones, and its frames.
@Sendable func decode(_ bytes: [UInt8]) {
    _ = ImageHeader(of: FileBytes(bytes))
    if let facts = CameraFacts(of: FileBytes(bytes)) {
        for text in [facts.camera, facts.lens, facts.exposure, facts.date, facts.position] {
            requireHarmless(text ?? "")
        }
    }
    let decoder = ImageDecoder(limits: fuzzedLimits)
    let small = PixelSize(width: 20, height: 30)
    for target in [nil, small] {
        do throws(DecodeError) {
            require(try decoder.decode(FileBytes(bytes), covering: target).pixels)
        } catch {
            requireHarmless(error.description)
        }
    }
    let embedded = decoder.decodeEmbedded(FileBytes(bytes), covering: small, ofAtLeast: small)
    if let embedded { require(embedded.pixels) }
    for turn in [Turn(quarters: 1), Turn(quarters: 2, isMirrored: true)] {
        if let turned = ImageHeader.turned(bytes, by: turn) {
            demand(ImageHeader(of: FileBytes(turned))?.format == .jpeg)
        }
    }
    if let animation = try? Animation(bytes, limits: fuzzedLimits) { play(animation, small) }
}

private func play(_ animation: Animation, _ target: PixelSize) {
    for _ in 1...2 {
        var frames = 0
        while frames < 20, (try? animation.advance()).flatMap({ $0 }) != nil {
            require(animation.picture(covering: frames == 0 ? nil : target))
            frames += 1
        }
        guard animation.rewind() else { return }
    }
}

/// A document: its pages counted, and the first drawn.
@Sendable func drawPages(_ bytes: [UInt8]) {
    var limits = DecodeLimits()
    limits.seconds = 2
    let decoder = ImageDecoder(limits: limits)
    for page in [0, 1] {
        do throws(DecodeError) {
            let size = PixelSize(width: 20, height: 30)
            require(try decoder.decode(FileBytes(bytes), covering: size, page: page).pixels)
        } catch {
            requireHarmless(error.description)
        }
    }
}

private func require(_ pixels: PixelBuffer) {
    let size = pixels.size
    demand(size.width > 0 && size.height > 0)
    demand(pixels.bytes.count == size.width * size.height * 4)
}

/// Small, so that many are tried.
private let fuzzedLimits: DecodeLimits = {
    var limits = DecodeLimits()
    limits.maxPixels = 1_000_000
    limits.maxFramePixels = 500_000
    limits.maxAnimationPixels = 250_000
    limits.seconds = 2
    return limits
}()
