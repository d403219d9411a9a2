import Basics
import Browser
import Dispatch
import Gallery
import Glibc
import Network
import Pipeline

/// Opens the addresses that the user has typed by the programs that the configuration names for them, and all others as galleries.
struct ProgramPages: PageLoading {
    let galleries: GalleryLoader
    let pages: RenderedPages
    let rules: ProgramRules
    /// How many bytes the output of a program may have.
    let limit: Int
    private let typed = Locked<Set<Address>>([])
    private let running = Locked<[ProgramOutput]>([])

    /// Notes an address that the user has typed; no other is opened by a program.
    @Sendable func note(_ address: Address) { typed.withLock { _ = $0.insert(address) } }

    /// Kills all programs that run.
    func end() { running.current.forEach { $0.stop(.cancelled) } }

    func load(
        _ request: Request, completion: @escaping LoadReceiver<Page>
    ) -> Subscription {
        let address = request.address
        guard request.referer == nil, typed.withLock({ $0.contains(address) }),
            let rule = rules.first(where: { fnmatch($0.pattern.cPath, address.text.cPath, 0) == 0 })
        else {
            return pages.load(request, completion: completion)
        }
        let words = rule.words.map { word in
            word.filled { name, _ in name == "url" ? address.text : nil }
        }
        let output = ProgramOutput()
        running.withLock { $0.append(output) }
        // Serial queues have threads of their own, however long the programs run.
        DispatchQueue(label: "halftone.run").asyncGuarded {
            completion(read(output, words, address) { completion(.success($0)) })
            running.withLock { $0.removeAll { $0 === output } }
        }
        return Subscription(onCancel: { output.stop(.cancelled) })
    }

    /// Passes on the parts of a page that are printed as lines of JSON; returns the rest, or all of anything else.
    private func read(
        _ output: ProgramOutput, _ words: [String], _ address: Address, _ receive: (Page) -> Void
    ) -> Result<Page, PageError> {
        var rest: [UInt8] = []
        var isInLines: Bool?
        var hasPictures = false
        var page = Page(address: address, title: "", pictures: [])
        func read(_ bytes: [UInt8]) -> Result<Page, PageError> {
            galleries.page(
                of: Response(address: address, charset: "utf-8", body: bytes, origin: .file))
        }
        let failure = output.read(words, limit: limit) { bytes in
            rest += bytes
            guard bytes.contains("\n"), let end = rest.lastIndex(of: "\n") else { return }
            let first = rest.prefix { $0 != "\n" }
            isInLines = isInLines ?? (try? LooseParser.document(Array(first)))?.isContainer
            guard isInLines == true else { return isInLines = false }
            let lines = read(Array(rest[...end]))
            rest = Array(rest[(end + 1)...])
            switch lines {
            case .success(var part):
                page.shortfall = part.shortfall ?? page.shortfall
                part.isPart = true
                part.shortfall = nil
                hasPictures = true
                receive(part)
            case .failure(.noPictures): break
            case .failure(let error): page.shortfall = error.description
            }
        }
        let last = read(rest)
        let problem = failure?.description ?? page.shortfall
        if let last = try? last.get() {
            page = last
            hasPictures = true
        }
        page.shortfall = problem ?? page.shortfall
        return hasPictures ? .success(page) : problem.map { .failure(.document($0)) } ?? last
    }
}
