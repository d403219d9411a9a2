import Basics
import Collector
import Dispatch
import Gallery
import Network
import Pipeline
import State

/// The pages of galleries, and the home screen: a gallery of the places seen last, each an album.
struct PlacePages: PageLoading {
    let galleries: ProgramPages
    let state: StateStore?
    /// Marks what is new; nil if nothing is kept.
    let followed: FollowedGalleries?
    /// Whether pages are reduced to what is new.
    var hasOnlyNew = false
    /// The home screen, at the path of the state database; nil if nothing is kept.
    let home: Source?
    /// What other programs have had shown.
    let shown: ShownPictures
    /// What standard input lists, if it is being shown.
    let stream: PictureStream?

    init(
        galleries: ProgramPages, fetcher: any Fetching, state: StateStore?, folder: String?,
        watch: FolderWatch, stream: PictureStream?
    ) {
        self.stream = stream
        shown = ShownPictures(watch: watch)
        self.galleries = galleries
        self.state = state
        followed = state.map { FollowedGalleries(state: $0, fetcher: fetcher) }
        home = (state == nil ? nil : folder).map {
            Source(argument: "Recent places", address: Address(path: "\($0)/state.db"))
        }
    }

    func load(
        _ request: Request, completion: @escaping LoadReceiver<Page>
    ) -> Subscription {
        let address = request.address
        if let stream, address == stream.source.address {
            return stream.load(completion: completion)
        }
        if address == ShownPictures.source.address {
            return DispatchQueue.userInitiated.cancellable { _ in
                completion(.success(shown.page))
            }
        }
        guard let state, address == home?.address, request.referer == nil else {
            return galleries.load(request) { result in
                guard let followed, let page = try? result.get(), page.activity.isEmpty
                else { return completion(result) }
                followed.markNew(page, at: address, isReduced: hasOnlyNew) {
                    completion(.success($0))
                }
            }
        }
        return DispatchQueue.userInitiated.cancellable { _ in
            let places = state.recentPlaces(limit: Self.maxPlaces).compactMap { place, seen in
                Address(place.gallery).map { gallery in
                    Picture(
                        variants: [
                            Picture.Variant(address: Address(place.thumbnail) ?? gallery)
                        ], link: gallery, page: address,
                        title: place.title.isEmpty ? place.gallery : place.title, date: seen,
                        kind: .album)
                }
            }
            completion(
                .success(Page(address: address, title: "Recent places", pictures: places)))
        }
    }

    /// More than anyone looks through.
    private static let maxPlaces = 100
}
