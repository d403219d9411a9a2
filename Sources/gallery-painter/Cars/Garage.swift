/// The cars of the gallery, each with colours of its own.
enum Garage {
    /// A winged single-seater.
    static func formula(_ era: FormulaCar.Era, _ livery: Livery, helmet: UInt32 = 0xF2C200) -> Model
    {
        FormulaCar(era: era, livery: livery, helmet: Ink(helmet)).model()
    }

    /// A single-seater without wings.
    static func classic(_ era: ClassicCar.Era, _ livery: Livery, helmet: UInt32 = 0xF4F0E6) -> Model
    {
        ClassicCar(era: era, livery: livery, helmet: Ink(helmet)).model()
    }

    /// A car with a roof.
    static func closed(_ kind: ClosedCar.Kind, _ livery: Livery, lit: Bool = false) -> Model {
        ClosedCar(kind: kind, livery: livery, isLit: lit).model()
    }
}

/// Colours that go well on cars; the names say which.
extension Livery {
    static func crimson(_ number: Int) -> Livery {
        Livery(0xC8102E, 0xF6E9D0, 0xF2A900, .stripes, number)
    }
    static func ivory(_ number: Int) -> Livery {
        Livery(0xF4F1E8, 0xC8102E, 0x16161A, .wedge, number)
    }
    static func blackGold(_ number: Int) -> Livery {
        Livery(0x16161A, 0xD8B24A, 0xD8B24A, .band, number)
    }
    static func forest(_ number: Int) -> Livery {
        Livery(0x0F5A38, 0xF2C200, 0xF2C200, .nose, number)
    }
    static func silver(_ number: Int) -> Livery {
        Livery(0xC8CCD2, 0x2A3038, 0xA01020, .plain, number)
    }
    static func cobalt(_ number: Int) -> Livery {
        Livery(0x1E50B4, 0xF8F4E4, 0xF26A1B, .stripes, number)
    }
    static func sky(_ number: Int) -> Livery {
        Livery(0x8EC9E8, 0xF2731B, 0xF2731B, .stripes, number)
    }
    static func tangerine(_ number: Int) -> Livery {
        Livery(0xF2701B, 0x16202E, 0x8EC9E8, .split, number)
    }
    static func sunflower(_ number: Int) -> Livery {
        Livery(0xF6C21C, 0x1A1A20, 0x1A1A20, .band, number)
    }
    static func turquoise(_ number: Int) -> Livery {
        Livery(0x14A89A, 0xF8F2E0, 0xF05A4A, .wedge, number)
    }
    static func plum(_ number: Int) -> Livery {
        Livery(0x6A2A8A, 0xF2D24A, 0xF8F4EA, .nose, number)
    }
    static func rose(_ number: Int) -> Livery {
        Livery(0xE85A8A, 0xFFF2E8, 0x5A1E4A, .split, number)
    }
    static func navy(_ number: Int) -> Livery {
        Livery(0x14244E, 0xE8402C, 0xF2C53A, .wedge, number)
    }
    static func rally(_ number: Int) -> Livery {
        Livery(0xF4F2EA, 0x1E50B4, 0xD81E2C, .wedge, number)
    }
    static func lime(_ number: Int) -> Livery {
        Livery(0x9AD82A, 0x1A2420, 0xF8F8F0, .split, number)
    }
    static func sea(_ number: Int) -> Livery { Livery(0x2A86C8, 0xF6F2E6, 0xE8402C, .band, number) }
}
