extension UInt8 {
    /// Space, tab, line feed, form feed or carriage return: HTML's white space.
    var isBlank: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D
    }

    /// A to Z in either case.
    var isLetter: Bool { lowered >= 0x61 && lowered <= 0x7A }

    /// 0 to 9.
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// An ASCII capital as its small letter, anything else as it is.
    var lowered: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
