extension [String: String] {
    /// The value of the first of these environment variables that is set and not empty.
    func firstFilled(_ names: String...) -> String? {
        names.lazy.compactMap { self[$0] }.first { !$0.isEmpty }
    }
}
