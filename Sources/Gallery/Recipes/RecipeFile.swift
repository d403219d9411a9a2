import Basics
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
        var recipes: [Recipe] = []
        var errors: [RecipeError] = []
        for name in fileNames(in: folder).filter({ $0.hasSuffix(".json") }).sorted().prefix(
            maxCount)
        {
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
        guard let bytes = smallFile(path, limit: Recipe.maxBytes) else {
            throw RecipeError(file: path, key: nil, reason: "cannot be read, or is too large")
        }
        try self.init(json: bytes, file: path)
    }

    /// Reads a recipe from JSON; `file` is named in errors.
    public init(json: [UInt8], file: String) throws(RecipeError) {
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

    /// Those that are not null.
    private var values: [String: String] = [:]
    private let file: String

    init(json: [UInt8], file: String) throws(RecipeError) {
        self.file = file
        let document: LooseValue
        do throws(LooseSyntaxError) {
            document = try LooseParser.document(json)
        } catch {
            throw RecipeError(file: file, key: nil, reason: "is no valid JSON")
        }
        guard case .object(let members) = document else {
            throw RecipeError(file: file, key: nil, reason: "is no JSON object")
        }
        for member in members where member.value != .null {
            guard let text = member.value.text else {
                throw error(member.key, "must be text or null")
            }
            values[member.key] = text
        }
        if let unknown = members.map(\.key).filter({ !Self.keys.contains($0) }).min() {
            throw self.error(unknown, "is no key of a recipe")
        }
    }

    func error(_ key: String, _ reason: String) -> RecipeError {
        RecipeError(file: file, key: key, reason: reason)
    }

    func text(_ key: String) throws(RecipeError) -> String {
        guard let value = values[key], !value.isEmpty else {
            throw error(key, "is missing")
        }
        return value
    }

    func extractor(_ key: String) throws(RecipeError) -> Extractor? {
        guard let value = values[key] else { return nil }
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
