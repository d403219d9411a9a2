import Collector
import Gallery
import Network
import State

/// Bookmarks of one letter, followed galleries, and the home screen.
extension BrowserModel {
    /// Sets a bookmark to the selected picture; without a letter, the next key gives it.
    func setBookmark(_ letter: String) {
        guard letter.count == 1 else { return awaitLetter(for: .setBookmark) }
        guard let state = context.services.state, let place = gallery.place else {
            return display.show("this place cannot be kept")
        }
        state.setBookmark(letter, place)
        display.show("'\(letter) comes back here")
    }

    /// Opens the gallery of a bookmark at its picture.
    func goToBookmark(_ letter: String) {
        guard !letter.isEmpty else { return awaitLetter(for: .goToBookmark) }
        withBookmarks { [weak self] places in
            guard let self else { return }
            guard let place = places[letter], let picture = Address(place.picture) else {
                return display.show("there is no bookmark \(letter)")
            }
            let destination = Destination.place(picture, number: place.number)
            if gallery.place?.gallery == place.gallery { return gallery.go(to: destination) }
            open(place: place.gallery, at: destination)
        }
    }

    /// Follows the gallery, whose pictures so far count as seen, or no longer.
    func follow() {
        let sections = gallery.level.sections
        guard let followed = context.services.followed, let address = gallery.key,
            let section = sections.first(where: { $0.address.text == address })
        else { return display.show("this place cannot be followed") }
        let told = context.onMain { [display] (isFollowed: Bool) in
            let name = address.split(separator: "://").last ?? ""
            display.show(
                isFollowed
                    ? "following \(name): what comes from now on is new" : "no longer followed")
        }
        followed.toggle(address, seen: section.pictures, completion: told)
    }

    /// Shows what is new in followed galleries, and the gallery of recent places.
    func openHome() {
        guard let home = context.services.home, let followed = context.services.followed else {
            return display.show("no places are kept (--no-state)")
        }
        let open = context.onMain { [viewer, gallery] (news: [Source]) in
            viewer.close()
            gallery.open(news + [home])
        }
        followed.look(completion: open)
    }

    /// Lets the next key be a bookmark's letter, and shows those that are set.
    private func awaitLetter(for command: Command) {
        awaitedLetter = AwaitedLetter(command: command)
        withBookmarks { [weak self] places in
            let facts = places.sorted { $0.key < $1.key }.map {
                InfoScene.Fact(label: $0.key, value: "\($0.value.caption), \($0.value.title)")
            }
            self?.awaitedLetter?.bookmarks = facts
        }
    }

    private func withBookmarks(_ receive: @escaping @MainActor ([String: Place]) -> Void) {
        guard let state = context.services.state else { return receive([:]) }
        state.bookmarks(completion: context.onMain(receive))
    }

    /// A command that waits for a letter, and the bookmarks that there are.
    struct AwaitedLetter {
        let command: Command
        var bookmarks: [InfoScene.Fact] = []
    }
}
