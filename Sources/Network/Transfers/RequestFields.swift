/// The header fields that an order is sent to `address` with, beside those that libcurl adds.
func requestFields(
    of order: TransferOrder, to address: Address, conditions: [(name: String, value: String)] = [],
    options: NetworkOptions
) -> [(name: String, value: String)] {
    var fields = conditions
    fields.append(("Accept", accept(order.purpose, options.pictureTypes)))
    if options.sendsReferer, let referer = sentReferer(of: order, to: address) {
        fields.append(("Referer", referer))
    }
    if options.sourceHosts.contains(address.host) {
        let own = options.headers.filter { isSafe($0.name) && isSafe($0.value) }
        let ownNames = Set(own.map { $0.name.lowercased() })
        fields.removeAll { ownNames.contains($0.name.lowercased()) }
        fields += own
    }
    return fields
}

/// As browsers do by default: nothing from files, and nothing from an encrypted page to a server in the clear.
private func sentReferer(of order: TransferOrder, to address: Address) -> String? {
    guard let referer = order.referer, !referer.isFile else { return nil }
    return referer.scheme == "https" && address.scheme == "http" ? nil : referer.text
}

/// A line break would smuggle in a header field, or a request.
private func isSafe(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
}

/// Only formats that can be decoded here are asked for: servers that choose by this header then send one that can be shown.
private func accept(_ purpose: Request.Purpose, _ pictures: [String]) -> String {
    switch purpose {
    case .page:
        "text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,"
            + "application/xml;q=0.9," + pictures.map { $0 + ";q=0.8," }.joined() + "*/*;q=0.7"
    case .picture:
        pictures.map { $0 + "," }.joined() + "*/*;q=0.5"
    }
}
