import Dispatch
import Network
public import Pipeline
import Trace

extension GalleryLoader: DetailLoading {
    /// Fetches the page that `picture` links to and finds the picture on it.
    public func loadDetail(
        of picture: Picture, rule: DetailRule?, priority: Priority,
        completion: @escaping @Sendable (Result<Detail, PageError>) -> Void
    ) -> Subscription {
        guard let link = picture.link else {
            queue.async { completion(.failure(.noPictures)) }
            return Subscription(onCancel: {}, onPriority: { _ in })
        }
        let isLocal = picture.page.isFile
        if isLocal, let path = link.filePath, Disk.kind(of: path) == .folder {
            queue.async { completion(.success(.album)) }
            return Subscription(onCancel: {}, onPriority: { _ in })
        }
        let span = tracer.begin("detail", detail: link.text)
        let request = Request(link, for: .page, referer: picture.page)
        return fetcher.fetch(request, priority: priority) { [queue, reader] result in
            queue.async {
                let detail = Result { () throws(PageError) in
                    switch result {
                    case .success(let response):
                        return try reader.detail(response, of: picture, rule: rule)
                    case .failure(.cancelled): throw .cancelled
                    case .failure(let error): throw .fetch(error)
                    }
                }
                span.end("\(detail)")
                completion(detail)
            }
        }
    }
}
