import Basics
import Gallery
import Network
import Pipeline
import Raster
import Thumbnails

extension ViewerModel {
    /// Requests the current picture and its neighbours, and cancels everything else.
    func update() {
        if isOpen, let number = level.selectedNumber {
            beginIfReplaced()
            markedPartner =
                pairing == .marked
                ? level.markedNumber(step: 1, from: number).map(level.id(ofPicture:)) : nil
            requestPictures(number)
        } else {
            // The next volume's first picture is still to come.
            if !level.opensFirst { close() }
            details?.update([])
            full.update([])
            filmstrip.update([])
            preview.show(nil)
        }
        updatePlayback()
    }

    /// Begins to show the picture that is selected now, however that came.
    func beginIfReplaced() {
        if level.selectedPicture?.image != begun { beginPicture() }
    }

    /// Requests this picture, then the next and previous ones, and as stand-ins the thumbnails of this one and the next three.
    private func requestPictures(_ number: Int) {
        let step = level.direction
        requestDetails([number, number + step])
        let now = context.clock()
        // For the velocity, one picture counts as one screen.
        velocity.observe(row: number, screen: 1, of: ObjectIdentifier(level), nil, at: now)
        let restDue = velocity.restDue(at: now)
        // What is found in memory at once may settle a guess or the zoom, from which other wishes follow.
        for _ in 0..<8 {
            full.update(fullWants(around: number), restDue: restDue)
            guard judgeGuesses([number, number + step]) || adaptZoom() else { break }
        }
        preview.show(previewRequest(level.id(ofPicture: number)))
        let tiles = (0...3).compactMap { ahead in
            id(number + ahead * step).flatMap {
                gallery.tileWant($0, priority: ahead == 0 ? .visible : .prefetch)
            }
        }
        gallery.tiles.update(tiles, restDue: restDue)
        filmstrip.update(
            filmstripPictures.compactMap { number in
                gallery.want(level.id(ofPicture: number), in: filmstripBox, priority: .visible)
            }, restDue: restDue)
    }

    private func id(_ number: Int) -> PictureID? {
        (0..<level.pictureCount).contains(number) ? level.id(ofPicture: number) : nil
    }

    /// The full pictures wished for in the present state: this one, then the next and the previous one.
    private func fullWants(around number: Int) -> [PictureRequests.Want] {
        let step = level.direction
        if pairing == .strip {
            let next = (pieces.last?.number ?? number) + 1
            return pieces.compactMap(want)
                + nonNil(fullWant(next, priority: .prefetch))
        }
        let shown = nonNil(number, partner(of: number))
        var wishes: [(Int, Priority)] = shown.map { ($0, .urgent) }
        for ahead in 1...(pairing == nil ? 1 : 2) where !shown.contains(number + ahead * step) {
            wishes.append((number + ahead * step, .prefetch))
        }
        return (wishes + [(number - step, .idle)]).compactMap(fullWant)
    }

    /// Returns the wish for the visible part of a page in a strip.
    private func want(_ piece: StripPiece) -> PictureRequests.Want? {
        guard var want = fullWant(piece.number, priority: .urgent) else { return nil }
        want.request.box = piece.area.size
        want.request.region = piece.part
        return want
    }

    private func fullWant(_ number: Int, priority: Priority) -> PictureRequests.Want? {
        // The thumbnail stands in until the address of the full picture is known.
        guard let id = id(number), let section = level.section(id.section),
            let picture = level.picture(id), picture.kind == .picture, !awaitsDetail(id)
        else { return nil }
        let guess = fullSizeGuess(of: id)?.address
        // No guesses for a picture already left behind.
        if guess != nil, priority == .idle { return nil }
        var box = area.size
        if zoom.factor < 1, priority == .urgent {
            box.columns = max(1, Int((Double(box.columns) * zoom.factor).rounded()))
            box.rows = max(1, Int((Double(box.rows) * zoom.factor).rounded()))
        }
        let region = content(of: id).part(priority == .urgent ? region(of: id) : .whole)
        // A zoomed part needs the largest size.
        let variant = picture.fullVariant(covering: box.columns * display.style.pixelsAcross)
        // Transparent areas and margins show the terminal's own background.
        var style = display.style
        style.isTinted = false
        style.tone = level.reading.tone
        var request = ThumbnailRequest(
            address: guess ?? (region == .whole ? variant.address : picture.largest),
            referer: picture.largestReferer, box: box, region: region, style: style,
            generation: section.generation(of: picture))
        if priority == .urgent, pairing != .strip { request.turn = rotation }
        return PictureRequests.Want(
            id: id, identity: guess ?? picture.image, request: request, priority: priority)
    }

    /// Returns the preview to request while the picture is loading; nil once it is there, or while its address is only a guess.
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

    /// Requests the detail pages of the pictures with these numbers, the first with the highest priority.
    private func requestDetails(_ numbers: [Int]) {
        details?.update(
            numbers.enumerated().compactMap { rank, number in
                guard let id = id(number), let section = level.section(id.section),
                    let picture = level.picture(id), picture.hasUnseenDetail
                else { return nil }
                return DetailRequests.Want(
                    id: id, picture: picture, generation: section.generation,
                    priority: rank == 0 ? .urgent : .prefetch)
            })
    }

    /// Whether the detail page that names the full picture is still loading.
    private func awaitsDetail(_ id: PictureID) -> Bool {
        level.picture(id)?.hasUnseenDetail == true && details?.isLoading(id) == true
    }

    /// Returns the address to try for a picture whose full size no page names; nil once that is settled.
    ///
    /// A guess is loaded like any picture, with the thumbnail's page as referer; nothing is fetched twice.
    private func fullSizeGuess(of id: PictureID) -> FullSizeGuess? {
        guard let picture = level.picture(id), picture.kind == .picture,
            picture.full == nil, !awaitsDetail(id)
        else { return nil }
        return guesses.guess(for: id, picture)
    }

    /// Evaluates the guesses for the pictures with these numbers; returns whether one was settled.
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

    /// Whether a guess led to a larger picture than the thumbnail; nil while that is unknown.
    private func isRight(_ id: PictureID) -> Bool? {
        if full.failure(of: id) != nil { return false }
        guard let guessed = full.ready(id) else { return nil }
        if gallery.tiles.failure(of: id) != nil { return true }
        // Thumbnails are often cropped to another shape.
        return gallery.tiles.ready(id).map { guessed.facts.size.count > $0.facts.size.count }
    }

    /// Plays the current picture if it is animated; pauses while it is covered.
    private func updatePlayback() {
        let want = isOpen && (plays || playback != nil) ? level.selection.flatMap(full.want) : nil
        playback = nextPlayback(of: want, isPaused: isCovered || !plays || !display.hasFocus)
    }

    func nextPlayback(of want: PictureRequests.Want?, isPaused: Bool) -> Playback? {
        Playback.next(
            after: playback, want, still: want.flatMap { full.ready($0.id) }, isPaused: isPaused,
            context: context)
    }
}

extension ThumbnailError {
    /// Whether the server reported that the picture does not exist, unlike a broken connection or a busy server.
    fileprivate var saysNotThere: Bool {
        switch self {
        case .fetch(.status(let status)):
            (400..<500).contains(status) && ![408, 425, 429].contains(status)
        case .fetch(.noSuchFile), .fetch(.isFolder), .fetch(.tooManyRedirects), .decode: true
        case .fetch, .cancelled: false
        }
    }
}
