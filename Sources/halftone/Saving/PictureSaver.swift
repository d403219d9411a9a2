import Browser
import Dispatch
import Gallery
import ImageCodecs
import Network
import Pipeline

/// Saves pictures: fetched like any other, written on a queue of its own.
final class PictureSaver: PictureSaving {
    private let fetcher: any Fetching
    private let folder: SaveFolder
    /// One file at a time, so that equal names are numbered in order.
    private let queue = DispatchQueue(label: "halftone.save", qos: .utility)

    /// Makes a saver into `folder`.
    init(fetcher: any Fetching, folder: SaveFolder) {
        self.fetcher = fetcher
        self.folder = folder
    }

    func save(
        _ picture: Picture, completion: @escaping @Sendable (Result<String, SaveError>) -> Void
    ) -> Subscription {
        let request = Request(
            picture.largest, for: .picture, referer: picture.largestReferer)
        return fetcher.fetch(request, priority: .visible) { [queue, folder] result in
            queue.async {
                completion(Self.write(result, of: picture, into: folder))
            }
        }
    }

    /// Waits until no file is being written: the end of the process would leave a part of it.
    func finish() {
        queue.sync {}
    }

    private static func write(
        _ result: Result<Response, FetchError>, of picture: Picture, into folder: SaveFolder
    ) -> Result<String, SaveError> {
        Result { () throws(SaveError) in
            let body: [UInt8]
            switch result {
            case .success(let response): body = response.body
            case .failure(let error): throw .notFetched(error.description)
            }
            guard let format = ImageFormat(sniffing: body) else { throw .noPicture }
            return try folder.write(body, as: FileName(picture, format: format))
        }
    }
}
