import FoundationEssentials

/// The recipes of a folder.
public enum RecipeLibrary {
    /// Recipes that one folder may hold.
    private static let maxRecipes = 1_000

    /// Every `*.json` in `folder`, by name; none if there is no such folder.
    ///
    /// Wrong ones are told apart from right ones. Blocks on the disk.
    public static func load(_ folder: String) -> (recipes: [Recipe], errors: [RecipeError]) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var recipes: [Recipe] = []
        var errors: [RecipeError] = []
        for name in names.filter({ $0.hasSuffix(".json") }).sorted().prefix(maxRecipes) {
            do throws(RecipeError) {
                recipes.append(try Recipe(file: folder + "/" + name))
            } catch {
                errors.append(error)
            }
        }
        return (recipes, errors)
    }
}
