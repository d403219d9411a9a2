/// Returns those of `values` that are not nil, in order.
public func nonNil<Value>(_ values: Value?...) -> [Value] { values.compactMap(\.self) }

extension Sequence where Element: Collection {
    /// Those that are not empty, in order.
    @inlinable public var nonEmpty: [Element] { filter { !$0.isEmpty } }
}
