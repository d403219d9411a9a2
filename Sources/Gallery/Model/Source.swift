public import Network

/// One SOURCE of the command line: the first page of one section.
public struct Source: Hashable, Sendable {
    /// As the user wrote it.
    public var argument: String
    /// Where it is; a folder's address ends with a slash.
    public var address: Address

    /// Makes a source.
    public init(argument: String, address: Address) {
        self.argument = argument
        self.address = address
    }
}
