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
        guard let sandbox else {
            return "in this process, as "
                + (isSandboxWanted ? "a sanitizer leaves no choice" : "asked")
        }
        return sandbox.protections?.description ?? "none can be started"
    }

    /// A one-line warning if the sandbox is incomplete; waits as `words` does.
    var note: String? {
        guard let sandbox else {
            return isSandboxWanted ? "there is no sandbox for pictures: \(words)" : nil
        }
        guard let protections = sandbox.protections else {
            return "no decoder process can be started, so no pictures are shown"
                + " (limits of processes or memory?); --no-sandbox decodes them in the program"
        }
        return protections.isSuperset(of: [.limits, .seccomp, .landlock])
            ? nil
            : "the sandbox for pictures has only: \(words); without Landlock PDFs are not drawn"
    }
}
