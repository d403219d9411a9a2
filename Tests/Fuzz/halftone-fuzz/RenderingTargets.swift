import Basics
import Network

@testable import Rendering

/// A tab of a “browser” that says back what it is told, which passes as answers without content.
private let tab: (browser: RunningBrowser, tab: Tab)? = {
    guard let address = Address("http://127.0.0.1:9/"),
        let tools = DevTools(["sh", "-c", "exec cat <&3 >&4"], in: "/nowhere", patience: 10),
        let proxy = try? ForwardProxy(fetcher: FetchStage(options: NetworkOptions()))
    else { return nil }
    let browser = RunningBrowser(tools, proxy, idle: 0)
    let tab = try? Tab(
        for: address, referer: nil, limit: 1 << 20, in: browser, script: "")
    // It has no page, but listens from then on.
    _ = try? tab?.advance()
    return tab.map { (browser, $0) }
}()

/// What a browser may say over its pipe: messages, each of a line.
@Sendable func receiveMessages(_ bytes: [UInt8]) {
    guard let tab else { fatalError("there is no tab") }
    for line in bytes.split(separator: 10, maxSplits: 100) {
        _ = tab.browser.tools.take(Array(line))
    }
}

/// The head of a request to the browser's proxy.
@Sendable func readProxyRequest(_ bytes: [UInt8]) {
    guard let request = ProxyRequest(bytes) else { return }
    demand(request.server.isOnWeb && request.length >= 0, request.head)
    let lines = request.head.split(separator: "\r\n", omittingEmptySubsequences: false)
    demand(
        lines.dropLast(2).allSatisfy { !$0.isEmpty && isSafeInHeader(String($0)) }, request.head)
}
