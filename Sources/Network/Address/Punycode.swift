/// An international host name in the letters that DNS knows: each label with others becomes `xn--` and punycode, RFC 3492.
///
/// libcurl would do it too, but only in a Unicode locale. Labels are brought to lower case, the part of IDNA's mapping that people type.
/// Nil if a label is longer than the 63 bytes of DNS or has characters that no name has.
func asciiHost(_ host: String) -> String? {
    var labels: [String] = []
    for label in host.lowercased().split(separator: ".", omittingEmptySubsequences: false) {
        let ascii = label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + punycode(label)
        let isNameable = label.unicodeScalars.allSatisfy { scalar in
            scalar.value < 0x80 || scalar.properties.isAlphabetic || scalar.properties.isEmoji
                || [.nonspacingMark, .spacingMark, .decimalNumber, .otherSymbol]
                    .contains(scalar.properties.generalCategory)
        }
        guard isNameable, ascii.utf8.count <= 63 else { return nil }
        labels.append(ascii)
    }
    return labels.joined(separator: ".")
}

/// The numbers of RFC 3492, section 5.
private enum Parameter {
    static let base = 36
    static let lowest = 1
    static let highest = 26
    static let skew = 38
    static let damp = 700
    static let initialBias = 72
    static let initialCode = 0x80
}

/// The encoder of RFC 3492, section 6.3; quadratic in the label, which DNS keeps short.
private func punycode(_ label: Substring) -> String {
    // Longer labels are refused afterwards by their length; the bound keeps a hostile one from costing more than that.
    let scalars = label.unicodeScalars.prefix(64).map { Int($0.value) }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var handled = basicCount
    var code = Parameter.initialCode
    var delta = 0
    var bias = Parameter.initialBias
    while handled < scalars.count, let next = scalars.filter({ $0 >= code }).min() {
        delta += (next - code) * (handled + 1)
        code = next
        for scalar in scalars {
            if scalar < code { delta += 1 }
            guard scalar == code else { continue }
            append(delta, bias: bias, to: &output)
            bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
            delta = 0
            handled += 1
        }
        delta += 1
        code += 1
    }
    return String(decoding: output, as: UTF8.self)
}

/// A generalised variable-length integer, section 3.3.
private func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
    var rest = delta
    var position = Parameter.base
    while true {
        let threshold = min(Parameter.highest, max(Parameter.lowest, position - bias))
        guard rest >= threshold else { break }
        let span = Parameter.base - threshold
        output.append(digit(threshold + (rest - threshold) % span))
        rest = (rest - threshold) / span
        position += Parameter.base
    }
    output.append(digit(rest))
}

/// The bias for the next number, section 6.1.
private func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / Parameter.damp : delta / 2
    delta += delta / count
    var steps = 0
    while delta > (Parameter.base - Parameter.lowest) * Parameter.highest / 2 {
        delta /= Parameter.base - Parameter.lowest
        steps += Parameter.base
    }
    return steps + (Parameter.base - Parameter.lowest + 1) * delta / (delta + Parameter.skew)
}

/// `a` to `z`, then `0` to `9`.
private func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? Int(UInt8(ascii: "a")) + value : Int(UInt8(ascii: "0")) + value - 26)
}
