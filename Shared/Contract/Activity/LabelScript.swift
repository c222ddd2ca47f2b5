/// The script of a letter, as far as look-alikes need it.
///
/// The rule is a simple form of what browsers do (UTS 39, "highly restrictive"): the letters of a label are
/// of one script, or Latin ones beside those of East Asia (Han, Hiragana, Katakana, Bopomofo, Hangul), which
/// are one here. All scripts that are not named here count as one, too. Marks and digits have none.
enum LabelScript: Hashable {
    case latin, greek, cyrillic, eastAsian, other

    /// Whether the letters of a label are of scripts that nobody writes together.
    static func areMixed(in label: String) -> Bool {
        let scripts = Set(label.unicodeScalars.filter(\.isLetter).map(LabelScript.init))
        return scripts.count > 1 && scripts != [.latin, .eastAsian]
    }

    /// By the blocks of Unicode.
    private init(_ letter: Unicode.Scalar) {
        self =
            switch letter.value {
            case 0x41...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF: .latin
            case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
            case 0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F: .cyrillic
            case 0x1100...0x11FF, 0x3000...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
                0xAC00...0xD7FF, 0xF900...0xFAFF, 0x1AFF0...0x1B16F, 0x20000...0x3FFFF:
                .eastAsian
            default: .other
            }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }
}
