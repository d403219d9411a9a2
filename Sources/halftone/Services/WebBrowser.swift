import Basics
import Browser
import Dispatch
import Network

/// The user's web browser: `$BROWSER`, else `xdg-open`.
///
/// Started without a shell, so that nothing in an address is interpreted, and detached from the terminal.
struct WebBrowser: AddressOpening {
    /// The programs to try in order, by name or path.
    let candidates: [String]

    /// Creates the list from `$BROWSER`, which is separated by colons.
    init(variables: [String: String]) {
        // Entries with arguments or `%s` (the address) are not supported.
        candidates =
            (variables["BROWSER"] ?? "").split(separator: ":").map(String.init).filter {
                !$0.contains(where: { " %".contains($0) })
            } + ["xdg-open"]
    }

    func open(_ address: Address) -> String {
        guard ["http", "https", "file"].contains(address.scheme) else {
            return "only web pages and files can be opened"
        }
        var reason = ""
        for program in candidates {
            let run = ChildProcess([program, address.text], [nil, nil, nil])
            if run.process != nil {
                // Waited for, so that it leaves no zombie.
                DispatchQueue.global(qos: .background).asyncGuarded { _ = run.outcome }
                return "opened in \(program)"
            }
            reason = run.outcome.text
        }
        return "could not open: \(reason)"
    }
}
