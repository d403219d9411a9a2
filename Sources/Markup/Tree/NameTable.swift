/// Numbers names while a page is parsed.
struct NameTable {
    private(set) var names = Name.wellKnown
    private(set) var ids = Name.wellKnownIDs

    /// libxml2 keeps each name once, so its pointer stands for it; a direct-mapped cache spares the dictionary.
    private var cache = [(pointer: UnsafePointer<UInt8>?, id: UInt16)](
        repeating: (nil, 0), count: NameTable.cacheSize)
    private static let cacheSize = 1024

    /// The number of a NUL-terminated name; nil when there are too many different ones.
    mutating func id(of pointer: UnsafePointer<UInt8>) -> UInt16? {
        // Names lie at least 2 bytes apart in libxml2's pool; mixing in higher bits spreads those of equal length.
        let bits = UInt(bitPattern: pointer)
        let slot = Int((bits ^ (bits >> 10)) & UInt(NameTable.cacheSize - 1))
        if cache[slot].pointer == pointer {
            return cache[slot].id
        }
        guard let id = lookUp(String(cString: pointer)) else { return nil }
        cache[slot] = (pointer, id)
        return id
    }

    private mutating func lookUp(_ name: String) -> UInt16? {
        if let id = ids[name] {
            return id
        }
        guard names.count < Limits.names else { return nil }
        let id = UInt16(names.count)
        names.append(name)
        ids[name] = id
        return id
    }
}
