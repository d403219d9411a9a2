import FoundationEssentials
import Markup

/// What is wrong with one key of a recipe.
struct RecipeProblem: Error {
    var key: String
    var reason: String
}

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
    private static let keys: Set<String> = [
        "name", "match", "item", "thumbnail", "image", "link", "title", "description", "date",
        "next",
    ]

    /// A file of this size is no recipe.
    private static let maxBytes = 1 << 20

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
        let values: [String: String?]
        do {
            values = try JSONDecoder().decode([String: String?].self, from: Data(json))
        } catch {
            throw RecipeError(
                file: file, key: Recipe.key(of: error), reason: Recipe.reason(of: error))
        }
        do throws(RecipeProblem) {
            try self.init(values)
        } catch {
            throw RecipeError(file: file, key: error.key, reason: error.reason)
        }
    }

    private init(_ values: [String: String?]) throws(RecipeProblem) {
        if let unknown = values.keys.filter({ !Recipe.keys.contains($0) }).min() {
            throw RecipeProblem(key: unknown, reason: "is no key of a recipe")
        }
        name = try Recipe.text("name", in: values)
        pattern = try AddressPattern(Recipe.text("match", in: values))
        let css = try Recipe.text("item", in: values)
        do throws(SelectorError) {
            item = try Selector(css)
        } catch {
            throw RecipeProblem(key: "item", reason: error.description)
        }
        thumbnail = try Recipe.extractor("thumbnail", in: values)
        image = try Recipe.extractor("image", in: values)
        guard thumbnail != nil || image != nil else {
            throw RecipeProblem(key: "thumbnail", reason: "is missing, and so is ‘image’")
        }
        link = try Recipe.extractor("link", in: values)
        title = try Recipe.extractor("title", in: values)
        summary = try Recipe.extractor("description", in: values)
        date = try Recipe.extractor("date", in: values)
        next = try Recipe.extractor("next", in: values)
    }

    private static func text(
        _ key: String, in values: [String: String?]
    ) throws(RecipeProblem) -> String {
        guard let value = values[key] ?? nil, !value.isEmpty else {
            throw RecipeProblem(key: key, reason: "is missing")
        }
        return value
    }

    private static func extractor(
        _ key: String, in values: [String: String?]
    ) throws(RecipeProblem) -> Extractor? {
        guard let value = values[key] ?? nil else { return nil }
        do throws(SelectorError) {
            return try Extractor(value)
        } catch {
            throw RecipeProblem(key: key, reason: error.description)
        }
    }

    private static func key(of error: any Error) -> String? {
        guard case .typeMismatch(_, let context) = error as? DecodingError else { return nil }
        return context.codingPath.last?.stringValue
    }

    private static func reason(of error: any Error) -> String {
        switch error as? DecodingError {
        case .typeMismatch(_, let context):
            context.codingPath.isEmpty ? "is no JSON object" : "must be text or null"
        default: "is no valid JSON"
        }
    }
}
