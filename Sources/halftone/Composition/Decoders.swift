import Sandbox

/// Where pictures are decoded, and how the decoder processes are confined.
struct Decoders {
    private let isSandboxWanted: Bool
    /// The sandbox; nil decodes in this process.
    let sandbox: Sandbox?

    init(_ options: Options, _ sandbox: Sandbox?) {
        isSandboxWanted = options.usesSandbox
        self.sandbox = isSandboxWanted ? sandbox : nil
    }

    /// The protections in force, for `--version` and the info panel.
    ///
    /// Waits for the first decoder process, which is started concurrently and reports its protections.
    var words: String {
        sandbox?.protections?.description
            ?? "in this process" + (isSandboxWanted ? ", as no other can be started" : ", as asked")
    }

    /// A one-line warning if the sandbox is incomplete; waits as `words` does.
    var note: String? {
        guard isSandboxWanted, sandbox?.protections?.contains(.seccomp) != true else { return nil }
        return "the sandbox for pictures is incomplete: \(words)"
    }
}
