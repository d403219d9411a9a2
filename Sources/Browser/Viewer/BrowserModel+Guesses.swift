import Gallery
import Network
import Raster
import Thumbnails

/// Full pictures at guessed addresses: only the viewer tries them, for the picture it shows and for the next.
///
/// A guess is drawn like any picture, in the name of the page that shows the thumbnail; nothing is fetched twice.
extension BrowserModel {
    /// Where to look for a picture of which no page names the full size; nil once that is settled.
    func fullSizeGuess(of id: PictureID) -> FullSizeGuess? {
        guard let picture = level.sections.picture(id), picture.kind == .picture,
            picture.full == nil, !awaitsDetail(id)
        else { return nil }
        return guesses.guess(for: id, picture)
    }

    /// Looks at what came of the guesses for the pictures with these numbers; whether one of them was settled.
    func judgeGuesses(_ numbers: [Int]) -> Bool {
        var isChanged = false
        for number in numbers where exists(number) {
            let id = level.id(ofPicture: number)
            guard let guess = fullSizeGuess(of: id),
                full.want(of: id)?.request.address == guess.address,
                let isRight = isRight(id)
            else { continue }
            if isRight {
                adopt(guess, for: id)
            } else {
                let isEvidence = full.failure(of: id)?.saysNotThere ?? true
                guesses.miss(guess, for: id, isEvidence: isEvidence)
                full.forgetFailure(of: id)
            }
            isChanged = true
        }
        return isChanged
    }

    /// Whether a guess led to a larger picture than the thumbnail; nil while that cannot be told.
    private func isRight(_ id: PictureID) -> Bool? {
        switch full.state(of: id) {
        case .wanted, .loading: return nil
        case .failed: return false
        case .ready(let guessed):
            switch tiles.state(of: id) {
            case .wanted, .loading: return nil
            case .failed: return true
            case .ready(let thumbnail):
                let (size, other) = (guessed.facts.size, thumbnail.facts.size)
                // Thumbnails are often cut to another shape.
                return size.width * size.height > other.width * other.height
            }
        }
    }

    private func adopt(_ guess: FullSizeGuess, for id: PictureID) {
        guesses.hit(guess, for: id)
        let size = full.thumbnail(of: id)?.facts.size
        let variant = Picture.Variant(
            address: guess.address, width: size?.width, height: size?.height)
        for level in levels {
            level.sections.section(id.section)?.adopt(guessed: variant, at: id.index)
        }
    }
}

extension ThumbnailError {
    /// Whether the server answered that there is no such picture; a broken connection or a busy server says nothing of that.
    fileprivate var saysNotThere: Bool {
        switch self {
        case .fetch(.status(let status)):
            (400..<500).contains(status) && ![408, 425, 429].contains(status)
        case .fetch(.noSuchFile), .fetch(.isFolder), .fetch(.tooManyRedirects), .decode: true
        case .fetch, .cancelled: false
        }
    }
}
