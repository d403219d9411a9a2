/// The number typed before a command.
struct Count {
    /// As much as is typed; nil if nothing is.
    private(set) var value: Int?

    /// More than any gallery holds; further digits are ignored.
    private static let limit = 999_999

    /// Takes a digit; false if the key is none, or a zero with nothing before it.
    mutating func take(_ key: Key) -> Bool {
        guard case .character(let scalar) = key, ("0"..."9").contains(scalar),
            value != nil || scalar != "0"
        else { return false }
        let next = (value ?? 0) * 10 + Int(scalar.value - 0x30)
        value = next <= Self.limit ? next : value
        return true
    }

    /// Ends the number: what was typed, to be used once.
    mutating func finish() -> Int? {
        defer { value = nil }
        return value
    }
}
