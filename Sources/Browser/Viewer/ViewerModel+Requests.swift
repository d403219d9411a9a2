import Basics
import Gallery
import Network
import Pipeline
import Raster
import Thumbnails

extension ViewerModel {
    var updateDue: Double? { [full.settleDue, strip.settleDue].compactMap(\.self).min() }

    /// Asks for what the viewer shows and for what lies next to it, and gives up the rest.
    func update() {
        if isOpen, let number = level.selectedNumber {
            requestPictures(number)
        } else {
            details?.update([])
            full.update([])
            strip.update([])
            preview.show(nil)
        }
        updatePlayback()
    }

    /// This picture, then the next, then the previous; and as stand-ins the thumbnails of this one and of those a few turns ahead.
    private func requestPictures(_ number: Int) {
        let step = level.direction
        requestDetails([number, number + step])
        let now = context.clock()
        // One picture is a screen.
        let surface = ScrollVelocity.Surface(gallery: ObjectIdentifier(level), metrics: nil)
        _ = velocity.observe(row: number, screen: 1, on: surface, at: now)
        let restDue = velocity.restDue(at: now)
        repeat {
            let wants = [
                fullWant(number, region: region, priority: .urgent),
                fullWant(number + step, priority: .prefetch),
                fullWant(number - step, priority: .idle),
            ]
            full.update(wants.compactMap(\.self), restDue: restDue)
        } while judgeGuesses([number, number + step]) || followActualSize()
        preview.show(previewRequest(level.id(ofPicture: number)))
        let tiles = (0...3).map { tileWant(number + $0 * step, isShown: $0 == 0) }
        gallery.tiles.update(tiles.compactMap(\.self), restDue: restDue)
        let box = Self.stripBox(display.style)
        strip.update(
            stripPictures.compactMap { number in
                gallery.want(level.id(ofPicture: number), in: box, priority: .visible)
            }, restDue: restDue)
    }

    private func id(_ number: Int) -> PictureID? {
        (0..<level.layout.pictureCount).contains(number) ? level.id(ofPicture: number) : nil
    }

    private func tileWant(_ number: Int, isShown: Bool) -> PictureRequests.Want? {
        id(number).flatMap { gallery.tileWant($0, priority: isShown ? .visible : .prefetch) }
    }

    private func fullWant(
        _ number: Int, region: UnitRect = .whole, priority: Priority
    ) -> PictureRequests.Want? {
        // Its thumbnail stands in until it is known where the full picture is.
        guard let id = id(number), let section = level.sections.section(id.section),
            let picture = level.sections.picture(id), picture.kind == .picture, !awaitsDetail(id)
        else { return nil }
        let guess = fullSizeGuess(of: id)?.address
        // Nothing is guessed for a picture that was left behind.
        if guess != nil, priority == .idle { return nil }
        var box = area.size
        if zoom.factor < 1, priority == .urgent {
            box.columns = max(1, Int((Double(box.columns) * zoom.factor).rounded()))
            box.rows = max(1, Int((Double(box.rows) * zoom.factor).rounded()))
        }
        // A part of the picture needs more.
        let across = box.columns * display.style.pixelsAcross
        let variant = picture.fullVariant(covering: across).address
        // Around the picture, and through its holes, nothing but the terminal's own ground.
        var style = display.style
        style.isTinted = false
        var request = ThumbnailRequest(
            address: guess ?? (region == .whole ? variant : picture.largest),
            referer: picture.largestReferer, box: box, region: region, style: style,
            generation: section.generation)
        if priority == .urgent { request.turn = turn }
        return PictureRequests.Want(
            id: id, identity: guess ?? picture.image, request: request, priority: priority)
    }

    /// What is to be seen of a picture while it is on its way; nil once it is there, or while it is only guessed where it is.
    private func previewRequest(_ id: PictureID) -> ThumbnailRequest? {
        guard full.isLoading(id), fullSizeGuess(of: id) == nil,
            var request = full.want(of: id)?.request
        else { return nil }
        request.standIn = gallery.tileWant(id, priority: .visible)?.request.address
        return request
    }

    func isLoadingFull(_ id: PictureID) -> Bool {
        awaitsDetail(id) || fullSizeGuess(of: id) != nil || full.isLoading(id)
    }

    /// Asks for the pages behind the pictures with these numbers, the first most urgently.
    private func requestDetails(_ numbers: [Int]) {
        let wants = numbers.enumerated().compactMap { rank, number -> DetailRequests.Want? in
            guard let id = id(number), let section = level.sections.section(id.section),
                let picture = level.sections.picture(id), picture.hasUnseenDetail
            else { return nil }
            return DetailRequests.Want(
                id: id, picture: picture, generation: section.generation,
                priority: rank == 0 ? .urgent : .prefetch)
        }
        details?.update(wants)
    }

    /// Whether the page that knows the full picture is on its way.
    private func awaitsDetail(_ id: PictureID) -> Bool {
        level.sections.picture(id)?.hasUnseenDetail == true && details?.isLoading(id) == true
    }

    /// Where to look for a picture of which no page names the full size; nil once that is settled.
    ///
    /// A guess is drawn like any picture, in the name of the page that shows the thumbnail; nothing is fetched twice.
    private func fullSizeGuess(of id: PictureID) -> FullSizeGuess? {
        guard let picture = level.sections.picture(id), picture.kind == .picture,
            picture.full == nil, !awaitsDetail(id)
        else { return nil }
        return guesses.guess(for: id, picture)
    }

    /// Looks at what came of the guesses for the pictures with these numbers; whether one of them was settled.
    private func judgeGuesses(_ numbers: [Int]) -> Bool {
        var isChanged = false
        for id in numbers.compactMap(id) {
            guard let guess = fullSizeGuess(of: id),
                full.want(of: id)?.request.address == guess.address,
                let isRight = isRight(id)
            else { continue }
            if isRight {
                guesses.hit(guess, in: id.section)
                let size = full.thumbnail(of: id)?.facts.size
                let variant = Picture.Variant(
                    address: guess.address, width: size.flatMap { Pixels($0.width) },
                    height: size.flatMap { Pixels($0.height) })
                gallery.section(withID: id.section)?.adopt(guessed: variant, at: id.index)
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
        switch (full.state(of: id), gallery.tiles.state(of: id)) {
        case (.wanted, _), (.loading, _): return nil
        case (.failed, _): return false
        case (.ready, .wanted), (.ready, .loading): return nil
        case (.ready, .failed): return true
        case (.ready(let guessed), .ready(let thumbnail)):
            let (size, other) = (guessed.facts.size, thumbnail.facts.size)
            // Thumbnails are often cut to another shape.
            return size.width * size.height > other.width * other.height
        }
    }

    /// Plays the picture that is shown if it moves; stands still while something covers it.
    private func updatePlayback() {
        let want = isOpen && (plays || playback != nil) ? level.selection.flatMap(full.want) : nil
        if let playback, !playback.plays(want) {
            playback.stop()
            self.playback = nil
        }
        guard let want else { return }
        playback = playback ?? player(of: want)
        playback?.isPaused = isCovered || !plays
        playback?.draw(for: want.request)
    }

    func player(of want: PictureRequests.Want) -> Playback? {
        guard case .ready(let still) = full.state(of: want.id), still.facts.isAnimated,
            let player = context.thumbnails.player(of: want.request, facts: still.facts)
        else { return nil }
        return Playback(of: want, player: player, context: context)
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
