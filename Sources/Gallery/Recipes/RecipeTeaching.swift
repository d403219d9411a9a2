import Basics
import Glibc
public import Network

/// Pictures of one page that the user has pointed at, by the addresses of their largest sizes.
public struct RecipeExamples: Sendable {
    /// The page.
    public var page: Address
    /// Those that belong to its gallery, and those that do not.
    var wanted: Set<Address>, unwanted: Set<Address>

    /// Creates examples.
    public init(page: Address, wanted: Set<Address>, unwanted: Set<Address>) {
        self.page = page
        self.wanted = wanted
        self.unwanted = unwanted
    }
}

/// A recipe made from examples.
public struct RecipeLesson: Sendable {
    let recipe: Recipe
    /// Its file's content.
    let text: String
    /// The selector of its items.
    public let item: String
    /// The pictures that it finds on the examples' page, and those that could be pictures.
    public let count: Int, total: Int
}

/// What the user has taught since the program began: recipes, and the pages that are shown whole meanwhile; callable on any thread.
public final class RecipeTeaching: Sendable {
    private struct State {
        /// The pages that are shown with everything that could be a picture.
        var pages: Set<Address> = []
        var recipes: [Recipe] = []
    }

    private let folder: String?
    /// What counts, and what counted before the latest recipe.
    private let state = Locked((now: State(), before: State()))

    /// Creates the state before anything is taught; recipes are kept in `folder`, or with nil only until the program ends.
    public init(folder: String? = nil) { self.folder = folder }

    /// The recipes learnt, latest first.
    var recipes: [Recipe] { state.withLock(\.now.recipes) }

    /// Whether everything on a page is shown.
    func shows(_ page: Address) -> Bool { state.withLock { $0.now.pages.contains(page) } }

    /// Shows everything on a page as well.
    func show(_ page: Address) { state.withLock { _ = $0.now.pages.insert(page) } }

    /// Shows everything on these pages and those that follow them, or no longer; returns which.
    public func toggle(_ pages: [Address]) -> Bool {
        state.withLock { state in
            let isShown = state.now.pages.isDisjoint(with: pages)
            state.now.pages = isShown ? state.now.pages.union(pages) : []
            return isShown
        }
    }

    /// Uses a recipe from now on, also on pages of which everything was shown.
    public func adopt(_ lesson: RecipeLesson) {
        state.withLock { state in
            state.before = state.now
            state.now = State(recipes: [lesson.recipe] + state.now.recipes)
        }
    }

    /// Forgets the latest recipe.
    public func discardLatest() { state.withLock { $0.now = $0.before } }

    /// Writes a recipe into the folder, under a name that is free; returns a line that says where, or why it is not kept.
    ///
    /// Blocks on the disk.
    public func save(_ lesson: RecipeLesson, host: String) -> String {
        guard let folder else { return "the recipe is not kept: there is no home folder" }
        makeFolder(folder, mode: 0o755)
        for number in 1...1_000 {
            let name = "\(host.isEmpty ? "page" : host).json".numbered(number)
            let path = "\(folder)/\(name)"
            let file = createFile(path)
            if file < 0, errno == EEXIST { continue }
            let error = file < 0 ? errno : writeAll(lesson.text.bytes, to: file)
            if file >= 0 {
                close(file)
                // Half a recipe would be reported as a broken one at every start.
                if error != 0 { unlink(path.cPath) }
            }
            return error == 0
                ? "kept as \(name) with your recipes"
                : "\(path): not kept: \(systemReason(error))"
        }
        return "\(folder): too many recipes of \(host)"
    }
}
