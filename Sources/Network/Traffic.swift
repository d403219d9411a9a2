public import Pipeline

/// The requests sent so far, and who is told of servers that ask to wait.
public struct Traffic: Sendable {
    /// The numbers of requests sent, by host.
    public var counts: [String: Int] = [:]
    /// Requests to further hosts are not counted: more than any gallery has.
    private static let maxHosts = 4096
    /// Is told in a line, on the transfer thread, when a server asks to wait.
    public var report: Receiver<String> = { _ in }

    mutating func count(_ host: String) {
        if counts[host] != nil || counts.count < Self.maxHosts { counts[host, default: 0] += 1 }
    }
}
