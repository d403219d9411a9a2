import Sandbox

/// Where pictures are decoded, and what holds the processes that do it.
struct Decoders {
    private let isSandboxWanted: Bool
    /// Nil decodes in this process.
    let sandbox: Sandbox?

    init(_ options: Options, _ sandbox: Sandbox?) {
        isSandboxWanted = options.usesSandbox
        self.sandbox = isSandboxWanted ? sandbox : nil
    }

    /// What is in force, for `--version` and the panel of facts.
    ///
    /// Waits for the first process, which is made beside the program's start: only then it is known.
    var words: String {
        sandbox?.protections?.description
            ?? "in this process" + (isSandboxWanted ? ", as no other can be started" : ", as asked")
    }

    /// One line, if it is less than it should be; waits as `words` does.
    var note: String? {
        guard isSandboxWanted, sandbox?.protections?.contains(.seccomp) != true else { return nil }
        return "the sandbox for pictures is not complete here: \(words)"
    }
}
