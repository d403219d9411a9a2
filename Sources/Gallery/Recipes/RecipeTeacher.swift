import Basics
import Glibc
public import Network

/// Pictures of one page that the user has pointed at, by the addresses of their largest sizes.
public struct RecipeExamples: Sendable {
    /// The page.
    public var page: Address
    /// Those that belong to its gallery, and those that do not.
    public var wanted: Set<Address>, unwanted: Set<Address>

    /// Creates examples.
    public init(page: Address, wanted: Set<Address>, unwanted: Set<Address>) {
        (self.page, self.wanted, self.unwanted) = (page, wanted, unwanted)
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

/// Keeps what the user teaches of pages while the program runs; callable on any thread.
public final class RecipeTeacher: Sendable {
    private let folder: String?
    private let state = Locked((showsAll: false, recipes: [Recipe]()))

    /// Creates a teacher that keeps recipes in `folder`; nil keeps none beyond the run.
    public init(folder: String?) { self.folder = folder }

    /// Whether pages are shown with everything that could be a picture; recipes are not used meanwhile.
    public var showsAll: Bool {
        get { state.withLock(\.showsAll) }
        set { state.withLock { $0.showsAll = newValue } }
    }

    /// Returns the recipes in use: those learnt, latest first, then `others`; none while everything is shown.
    public func recipes(before others: [Recipe]) -> [Recipe] {
        state.withLock { $0.showsAll ? [] : $0.recipes + others }
    }

    /// Uses a recipe from now on.
    public func adopt(_ lesson: RecipeLesson) {
        state.withLock { $0 = (false, [lesson.recipe] + $0.recipes) }
    }

    /// Forgets the latest recipe, and shows everything again.
    public func discardLatest() {
        state.withLock { $0 = (true, Array($0.recipes.dropFirst())) }
    }

    /// Writes a recipe into the folder, under a name that is free; returns a line that says where, or why it is not kept.
    ///
    /// Blocks on the disk.
    public func save(_ lesson: RecipeLesson, host: String) -> String {
        guard let folder else { return "the recipe is not kept: there is no home folder" }
        makeFolder(folder, mode: 0o755)
        for number in 1...1_000 {
            let name = "\(host.isEmpty ? "page" : host).json".numbered(number)
            let file = createFile(folder + "/" + name)
            if file < 0, errno == EEXIST { continue }
            let error = file < 0 ? errno : writeAll(Array(lesson.text.utf8), to: file)
            if file >= 0 { close(file) }
            return error == 0
                ? "kept as \(name) with your recipes"
                : "\(folder)/\(name): not kept: \(systemReason(error))"
        }
        return "\(folder): too many recipes of \(host)"
    }
}
