import Gallery
import Network
import Pipeline
import Raster
import Thumbnails

extension BrowserModel {
    /// The gallery that is seen: the album opened last, or that of the command line.
    var level: GalleryLevel { levels[levels.count - 1] }

    /// The sizes of the layout at this moment.
    var metrics: GalleryMetrics {
        GalleryMetrics(
            layout: layout, columns: size.columns, bodyRows: max(1, size.rows - 2),
            tileColumns: tileColumns, cellAspect: style.cellAspect)
    }

    /// Lays every gallery out anew after a change of sizes.
    func relayout() {
        for level in levels {
            level.adopt(metrics)
        }
        stateChanged()
    }

    /// A gallery over `sections`, wired so that it hears of their pages.
    func makeLevel(title: String, sections: [Section]) -> GalleryLevel {
        let maker = maker
        let list = SectionList(nextID: { maker.nextID() })
        let level = GalleryLevel(title: title, sections: list, metrics: metrics)
        for section in sections {
            section.arrange(order, by: arranger) {}
            list.append(section)
            section.pager?.takePage = { [weak self, weak section, weak level] page, replacing in
                guard let self, let section, let level else { return }
                if replacing {
                    forgetFailures(of: section, in: level)
                }
                level.sections.take(page, into: section, replacing: replacing)
            }
            section.pager?.stateChanged = { [weak self, weak section, weak level] in
                guard let self, let section, let level else { return }
                sectionChanged(section, in: level)
            }
        }
        level.sectionsChanged()
        return level
    }

    private func forgetFailures(of section: Section, in level: GalleryLevel) {
        for section in level.sections.sections where (section.owner ?? section.id) == section.id {
            tiles.forgetFailures(ofSection: section.id)
            full.forgetFailures(ofSection: section.id)
            guesses.forget(section: section.id)
        }
    }

    private func sectionChanged(_ section: Section, in level: GalleryLevel) {
        failureQueue.remove(section: section.id)
        if let failure = section.failure {
            failureQueue.append(
                FailureQueue.Entry(section: section.id, failure: failure))
        }
        level.sectionsChanged()
        goOnIfAwaited()
        stateChanged()
    }

    /// Loads on where fewer than two screens are left below the body.
    ///
    /// Not for sections above the selected one: their pages would push what is being looked at away, without end.
    func loadPagesInReach() {
        let layout = level.layout
        let rows = level.visibleRows
        let reach = rows.upperBound + 2 * rows.count
        let own = level.selection.flatMap { level.sections.place(of: $0.section) } ?? 0
        for place in layout.blocks.indices where layout.blocks[place].firstRow < reach {
            let section = level.sections.sections[place]
            let isAbove = place < ownerPlace(at: own)
            // One that is seen and has nothing to show is what the reader waits for, wherever it is.
            let isBlank =
                section.pictures.isEmpty && layout.endRow(ofBlock: place) > rows.lowerBound
            guard !isAbove || isBlank, layout.endRow(ofBlock: place) < reach, section.mayGrow,
                section.fruitlessPages < Self.mostFruitlessPages
            else {
                continue
            }
            section.pager?.advance()
        }
    }

    /// A filter that nothing passes must not fetch a whole site; `G` loads on.
    private static let mostFruitlessPages = 5

    private func ownerPlace(at place: Int) -> Int {
        let sections = level.sections.sections
        guard sections.indices.contains(place) else { return 0 }
        return sections[place].owner.flatMap(level.sections.place) ?? place
    }

    /// A thumbnail of the gallery as a want.
    func tileWant(_ id: PictureID, priority: Priority) -> PictureRequests.Want? {
        want(id, box: level.metrics.thumbnailBox, region: .whole, priority: priority)
    }

    /// A picture drawn into `box` as a want; of its sizes the smallest that gives each cell two pixels across, which
    /// is what the finest block sets show and twice what half blocks do.
    func want(
        _ id: PictureID, box: CellSize, region: UnitRect, isFull: Bool = false,
        guess: Address? = nil, priority: Priority
    ) -> PictureRequests.Want? {
        guard let section = level.sections.section(id.section),
            let picture = level.sections.picture(id), picture.isDrawable
        else { return nil }
        let width = box.columns * 2
        let variant =
            isFull ? picture.fullVariant(covering: width) : picture.variant(covering: width)
        let address = guess ?? (region == .whole ? variant.address : picture.largest)
        // Around a picture that is looked at closely, and through its holes, nothing but the terminal's own ground.
        var style = style
        style.isTinted = style.isTinted && !isFull
        return PictureRequests.Want(
            id: id, identity: guess ?? picture.image,
            request: ThumbnailRequest(
                address: address,
                referer: isFull ? picture.largestReferer : picture.page, box: box,
                region: region, style: style, generation: section.generation, mayBeEmbedded: !isFull
            ),
            priority: priority)
    }
}
