import Basics
import Glibc
import Markup
import Network

/// Why a recipe cannot be used: one line with the file, the key and the reason.
public struct RecipeError: Error, Hashable, CustomStringConvertible {
    /// The file, as named by the user.
    public var file: String
    /// The key; nil if the whole file is invalid.
    public var key: String?
    /// The reason in plain words.
    var reason: String

    /// The error as `FILE: ‘KEY’ REASON`.
    public var description: String {
        key.map { "\(file): ‘\($0)’ \(reason)" } ?? "\(file): \(reason)"
    }
}

extension Recipe {
    /// The maximum size in bytes; a larger file is not a recipe.
    private static let maxBytes = 1 << 20
    /// The maximum number of files read from one folder.
    private static let maxCount = 1_000

    /// Reads every `*.json` in `folder`, the one written last first, as it may correct others, and reports the invalid ones; returns none if
    /// the folder does not exist.
    ///
    /// Blocks on the disk.
    public static func all(in folder: String) -> (recipes: [Recipe], errors: [RecipeError]) {
        var recipes: [Recipe] = []
        var errors: [RecipeError] = []
        let names = fileNames(in: folder, limit: maxCount) ?? []
        let dated = names.filter { $0.hasSuffix(".json") }.map { name in
            let path = "\(folder)/\(name)"
            return (linkStatus(path).map { nanoseconds($0.st_mtim) } ?? 0, path)
        }
        for (_, path) in dated.sorted(by: >) {
            do throws(RecipeError) {
                recipes.append(try Recipe(file: path))
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
            throw RecipeError(file: path, reason: "cannot be read, or is too large")
        }
        try self.init(json: bytes, file: path)
    }

    init(json: [UInt8], file: String) throws(RecipeError) {
        let fields = try RecipeFields(json: json, file: file)
        self.file = file
        name = try fields.required("name") { $0 }
        pattern = try fields.required("match", Pattern.init)
        item = try fields.required("item", Selector.init)
        test = fields.values["test"]
        pace.pause = try fields.optional("pause", PaceOptions.pause)
        pace.rate = try fields.optional("limit-rate", PaceOptions.rate)
        for key in RecipeFields.extracted {
            extractors[key] = try fields.optional(key, Extractor.init)
        }
        guard ["thumbnail", "image", "album"].contains(where: { extractors[$0] != nil }) else {
            throw fields.error("thumbnail", "is missing, and so is ‘image’")
        }
    }
}

/// The values of a recipe's keys, validated one by one.
private struct RecipeFields {
    /// The keys whose values say where something is on the page.
    static let extracted = wordList("thumbnail image album link title description date next")
    private static let keys = wordSet("name match item test pause limit-rate").union(extracted)

    /// The values that are not null.
    var values: [String: String] = [:]
    private let file: String

    init(json: [UInt8], file: String) throws(RecipeError) {
        self.file = file
        guard let document = try? LooseParser.document(json) else {
            throw RecipeError(file: file, reason: "is not valid JSON")
        }
        guard case .object(let members) = document else {
            throw RecipeError(file: file, reason: "is not a JSON object")
        }
        for member in members where member.value != .null {
            guard let text = member.value.text else {
                throw error(member.key, "must be text or null")
            }
            values[member.key] = text
        }
        if let unknown = members.map(\.key).filter({ !Self.keys.contains($0) }).min() {
            throw error(unknown, "is not a key of a recipe")
        }
    }

    func error(_ key: String, _ reason: String) -> RecipeError {
        RecipeError(file: file, key: key, reason: reason)
    }

    func required<Value>(
        _ key: String, _ parse: (String) throws(SyntaxError) -> Value
    ) throws(RecipeError) -> Value {
        guard values[key] != "", let value = try optional(key, parse) else {
            throw error(key, "is missing")
        }
        return value
    }

    func optional<Value, Failure: Error>(
        _ key: String, _ parse: (String) throws(Failure) -> Value
    ) throws(RecipeError) -> Value? {
        guard let text = values[key] else { return nil }
        do throws(Failure) {
            return try parse(text)
        } catch {
            throw self.error(key, "\(error)")
        }
    }
}
