import FoundationEssentials
import Markup

/// Why a recipe cannot be used: one line that names file, key and reason.
public struct RecipeError: Error, Hashable, CustomStringConvertible {
    /// The file, as the user named it.
    public var file: String
    /// The key; nil if the file as a whole is wrong.
    public var key: String?
    /// In plain words.
    public var reason: String

    /// `FILE: ‘KEY’ REASON`.
    public var description: String {
        key.map { "\(file): ‘\($0)’ \(reason)" } ?? "\(file): \(reason)"
    }
}

extension Recipe {
    /// A file of this size is no recipe.
    private static let maxBytes = 1 << 20
    /// Recipes that one folder may hold.
    private static let maxCount = 1_000

    /// Every `*.json` in `folder`, by name, the wrong ones told apart; none if there is no such folder.
    ///
    /// Blocks on the disk.
    public static func all(in folder: String) -> (recipes: [Recipe], errors: [RecipeError]) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var recipes: [Recipe] = []
        var errors: [RecipeError] = []
        for name in names.filter({ $0.hasSuffix(".json") }).sorted().prefix(maxCount) {
            do throws(RecipeError) {
                recipes.append(try Recipe(file: folder + "/" + name))
            } catch {
                errors.append(error)
            }
        }
        return (recipes, errors)
    }

    /// Reads the recipe in the file at `path`.
    ///
    /// Blocks on the disk.
    public init(file path: String) throws(RecipeError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RecipeError(file: path, key: nil, reason: "cannot be read")
        }
        try self.init(json: Array(data), file: path)
    }

    /// Reads a recipe from JSON; `file` is named in errors.
    public init(json: [UInt8], file: String) throws(RecipeError) {
        guard json.count <= Recipe.maxBytes else {
            throw RecipeError(file: file, key: nil, reason: "is too large for a recipe")
        }
        let fields = try RecipeFields(json: json, file: file)
        name = try fields.text("name")
        guard let pattern = AddressPattern(try fields.text("match")) else {
            throw fields.error("match", "is no regular expression")
        }
        self.pattern = pattern
        let css = try fields.text("item")
        item = try fields.parsed("item") { () throws(SelectorError) in try Selector(css) }
        thumbnail = try fields.extractor("thumbnail")
        image = try fields.extractor("image")
        guard thumbnail != nil || image != nil else {
            throw fields.error("thumbnail", "is missing, and so is ‘image’")
        }
        link = try fields.extractor("link")
        title = try fields.extractor("title")
        summary = try fields.extractor("description")
        date = try fields.extractor("date")
        next = try fields.extractor("next")
    }
}

/// The values of a recipe's keys, checked one by one.
private struct RecipeFields {
    private static let keys: Set<String> = [
        "name", "match", "item", "thumbnail", "image", "link", "title", "description", "date",
        "next",
    ]

    private let values: [String: String?]
    private let file: String

    init(json: [UInt8], file: String) throws(RecipeError) {
        self.file = file
        do {
            values = try JSONDecoder().decode([String: String?].self, from: Data(json))
        } catch DecodingError.typeMismatch(_, let context) {
            throw RecipeError(
                file: file, key: context.codingPath.last?.stringValue,
                reason: context.codingPath.isEmpty ? "is no JSON object" : "must be text or null")
        } catch {
            throw RecipeError(file: file, key: nil, reason: "is no valid JSON")
        }
        if let unknown = values.keys.filter({ !Self.keys.contains($0) }).min() {
            throw self.error(unknown, "is no key of a recipe")
        }
    }

    func error(_ key: String, _ reason: String) -> RecipeError {
        RecipeError(file: file, key: key, reason: reason)
    }

    func text(_ key: String) throws(RecipeError) -> String {
        guard let value = values[key] ?? nil, !value.isEmpty else {
            throw error(key, "is missing")
        }
        return value
    }

    func extractor(_ key: String) throws(RecipeError) -> Extractor? {
        guard let value = values[key] ?? nil else { return nil }
        return try parsed(key) { () throws(SelectorError) in try Extractor(value) }
    }

    func parsed<Value>(
        _ key: String, _ parse: () throws(SelectorError) -> Value
    ) throws(RecipeError) -> Value {
        do throws(SelectorError) {
            return try parse()
        } catch {
            throw self.error(key, error.description)
        }
    }
}
