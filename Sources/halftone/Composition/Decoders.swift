import Sandbox

/// Where pictures are decoded, and what holds the processes that do it.
struct Decoders {
    /// Nil decodes in this process.
    let sandbox: Sandbox?
    /// What is in force, for `--version` and the panel of facts.
    let words: String
    /// One line, if it is less than it should be.
    let note: String?

    /// Starts a first helper and waits until it is locked in, which takes milliseconds: only then it is known what is in force.
    init(_ options: Options, _ sandbox: Sandbox?) {
        let protections = options.usesSandbox ? sandbox?.protections() : nil
        self.sandbox = protections.flatMap { _ in sandbox }
        words =
            protections?.description ?? "in this process"
            + (options.usesSandbox ? ", as no other can be started" : ", as asked")
        let isWell = !options.usesSandbox || protections?.contains(.seccomp) == true
        note = isWell ? nil : "the sandbox for pictures is not complete here: \(words)"
    }
}
