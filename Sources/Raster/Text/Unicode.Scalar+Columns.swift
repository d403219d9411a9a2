extension Unicode.Scalar {
    /// How many terminal columns the character takes: 0, 1 or 2; nil for a control character, which has no width.
    ///
    /// A sequence takes the sum of its scalars, as ncurses counts; terminals that draw a joined emoji narrower are
    /// out of step with both.
    public var columns: Int? {
        switch value {
        case 0x20..<0x7F: 1
        case 0..<0xA0, 0x2028, 0x2029: nil
        case 0xA0..<0x0300: 1
        default:
            if WidthTable.two.hasRange(containing: value) {
                2
            } else {
                WidthTable.zero.hasRange(containing: value) ? 0 : 1
            }
        }
    }

    /// Whether the character could drive the terminal or reorder the text around it: C0, DEL, C1, line and paragraph
    /// separators, and the bidirectional controls.
    var isUnsafe: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x061C, 0x200E, 0x200F, 0x202A...0x202E,
            0x2066...0x2069:
            true
        default: false
        }
    }
}

extension [UInt32] {
    /// Whether one of the pairs, which are in order, encloses `value`.
    fileprivate func hasRange(containing value: UInt32) -> Bool {
        var low = 0
        var high = count / 2
        while low < high {
            let middle = (low + high) / 2
            if self[middle * 2 + 1] < value { low = middle + 1 } else { high = middle }
        }
        return low < count / 2 && self[low * 2] <= value
    }
}
