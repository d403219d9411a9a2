public import Network

/// Shows an address in another program.
public protocol AddressOpening: Sendable {
    /// Starts the program and returns at once; the result is one line that says what happened.
    func open(_ address: Address) -> String
}
