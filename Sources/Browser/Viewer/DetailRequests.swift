import Gallery
import Network
import Pipeline

/// The detail pages behind thumbnails wanted by the viewer, and their results.
///
/// Each update receives the pictures being viewed, requests pages not requested yet and cancels those no longer wanted. The rule
/// that worked last in a section is tried first on its next page.
@MainActor final class DetailRequests: WantedRequests<Detail, PageError> {
    struct Want {
        var id: PictureID
        var picture: Picture
        var generation: CacheGeneration
        var priority: Priority
    }

    var changed: (PictureID, Detail?) -> Void = { _, _ in }

    private let loading: any DetailLoading
    /// The rule that worked last in each section.
    private var rules: [Int: DetailRule] = [:]

    init(loading: any DetailLoading, main: any MainScheduling) {
        self.loading = loading
        super.init(main)
    }

    /// Replaces the set of wanted pages.
    func update(_ wants: [Want]) {
        cancel(except: Set(wants.map(\.id)))
        for want in wants {
            guard let link = want.picture.link, failure(of: want.id, as: link) == nil else {
                continue
            }
            if let request = requests[want.id] {
                request.setPriority(want.priority)
            } else {
                begin(want.id, as: link) { answer in
                    loading.loadDetail(
                        of: want.picture, rule: rules[want.id.section],
                        generation: generation(of: want.id, atLeast: want.generation),
                        priority: want.priority, completion: answer)
                }
            }
        }
    }

    override func forget(section: Int) {
        super.forget(section: section)
        cancel(except: Set(requests.keys.filter { $0.section != section }))
        rules[section] = nil
    }

    override func receive(_ detail: Detail?, for id: PictureID) {
        if case .picture(_, let rule)? = detail { rules[id.section] = rule }
        changed(id, detail)
    }
}
