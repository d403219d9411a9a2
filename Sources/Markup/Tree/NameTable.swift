/// Numbers names while a page is parsed.
///
/// `release` must be called in the end.
struct NameTable {
    private(set) var names = Name.wellKnown
    private(set) var ids = Name.wellKnownIDs

    private struct Slot: BitwiseCopyable {
        var pointer: UnsafePointer<UInt8>?
        var id: UInt16
    }

    /// libxml2 keeps each name once, so its pointer stands for it; a direct-mapped cache spares the dictionary.
    private let cache: UnsafeMutablePointer<Slot>
    private static let cacheSize = 1024

    init() {
        cache = .allocate(capacity: NameTable.cacheSize)
        cache.initialize(repeating: Slot(pointer: nil, id: 0), count: NameTable.cacheSize)
    }

    func release() { cache.deallocate() }

    /// The number of a NUL-terminated name; nil when there are too many different ones.
    mutating func id(of pointer: UnsafePointer<UInt8>) -> UInt16? {
        // Names lie at least 2 bytes apart in libxml2's pool; mixing in higher bits spreads those of equal length.
        let bits = UInt(bitPattern: pointer)
        let slot = cache + Int((bits ^ (bits >> 10)) & UInt(NameTable.cacheSize - 1))
        if slot.pointee.pointer == pointer {
            return slot.pointee.id
        }
        guard let id = lookUp(String(cString: pointer)) else { return nil }
        slot.pointee = Slot(pointer: pointer, id: id)
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
