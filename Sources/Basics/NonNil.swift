/// Returns those of `values` that are not nil, in order.
public func nonNil<Value>(_ values: Value?...) -> [Value] { values.compactMap(\.self) }
