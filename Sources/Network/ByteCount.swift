import Basics

/// Parses `1234`, `1.2K`, `3M` or `1G`, units of 1024; nil for anything else.
public func byteCount(_ text: some StringProtocol) -> Int? {
    if let count = Int(bounded: text) { return count >= 0 ? count : nil }
    let units: [Character: Double] = ["k": 1024, "m": 1_048_576, "g": 1_073_741_824]
    guard let unit = text.lowercased().last.flatMap({ units[$0] }),
        let number = Double(text.dropLast()), number >= 0
    else { return nil }
    return Int(bounded: number * unit)
}
