/// A parsed HTML page.
///
/// Stub: to be written.
public struct Document: Sendable {
    /// Parses `bytes`; `charset` is what the transport says. Never fails: tag soup gives what can be read of it.
    public init(html bytes: [UInt8], charset: String? = nil) {}
}
