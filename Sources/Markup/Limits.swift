/// What a page may cost, whoever wrote it.
enum Limits {
    /// Bytes of a page that are read: the same as the largest body that is fetched.
    static let pageBytes = 64 << 20
    /// Nodes of a tree: 28 bytes each, so 112 MB at most.
    static let nodes = 4 << 20
    /// Attributes of one tag.
    ///
    /// libxml2 compares each with all before it; 256 keeps 64 MB of such tags within seconds, and no page written by anybody
    /// comes near.
    static let attributesOfTag = 256
    /// Bytes of one tag outside quoted values.
    static let bytesOfTag = 64 << 10
    /// Different names of elements and attributes: they are numbered with 16 bits.
    static let names = 60_000
    /// Bytes of a `data:` value that are kept: enough to know it, and it is never fetched.
    static let dataValueBytes = 256
    /// Bytes of text that `textContent` gives.
    static let textContentBytes = 64 << 10
}
