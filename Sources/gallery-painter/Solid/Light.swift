import Glibc

/// The light a scene stands in.
struct Light {
    /// Towards the sun, or moon, or floodlights.
    var toward: Vec
    /// The direct light.
    var key: Ink
    /// What the sky adds from above.
    var sky: Ink
    /// The bright band that shows in paint and chrome.
    var horizon: Ink
    /// What the ground throws back.
    var ground: Ink

    /// The colour of a surface seen along `gaze`, of `normal`, with a coat of `gloss`.
    func shade(_ ink: Ink, normal: Vec, gaze: Vec, gloss: Double) -> SIMD4<Float> {
        let facing = normal.dot(gaze) > 0 ? normal * -1 : normal
        let sun = max(facing.dot(toward), 0)
        let up = Float(facing.y * 0.5 + 0.5)
        let ambient = ground.channels + (sky.channels - ground.channels) * up
        var color = ink.channels * (ambient * 0.72 + key.channels * Float(sun))
        let mirrored = gaze - facing * (2 * gaze.dot(facing))
        let grazing = pow(1 - min(abs(gaze.dot(facing)), 1), 4)
        let strength = Float(gloss * (0.12 + 0.75 * grazing))
        color += (reflection(mirrored) - color) * strength
        let glint = pow(max(mirrored.dot(toward), 0), 50) * gloss * 1.2
        color += key.channels * Float(glint)
        color.w = 1
        return color.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 1))
    }

    /// What a mirror shows in a direction.
    private func reflection(_ way: Vec) -> SIMD4<Float> {
        if way.y < 0 {
            return ground.channels * Float(1 - 0.5 * min(-way.y * 3, 1))
        }
        let t = Float(smoothstep(0.05, 0.8, way.y))
        return horizon.channels + (sky.channels - horizon.channels) * t
    }
}
