/// Text of others for a terminal, a log or a sentence: nothing in it moves the cursor, changes colours, or
/// turns the order in which what follows is read.
package enum VisibleText {
    /// `text` with each invisible character as Swift spells it: `\n`, `\u{1B}`.
    /// - Parameter isLines: whether line feeds and tabs stay, because the text has lines.
    package static func escaped(_ text: String, isLines: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: { isHidden($0, isLines) }) else { return text }
        var visible: [UInt8] = []
        visible.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if isHidden(scalar, isLines) { visible += spelled(scalar).utf8 } else { visible += scalar.utf8 }
        }
        return String(decoding: visible, as: UTF8.self)
    }

    /// Whether an id or a name may be this: 1 to `bytesMax` bytes, and nothing in it that cannot be seen. The
    /// one rule for what somebody has to read, type and compare.
    package static func isName(_ text: String, bytesMax: Int = Limits.nameBytesMax) -> Bool {
        (1...bytesMax).contains(text.utf8.count) && !text.unicodeScalars.contains { isHidden($0) }
    }

    /// The refusal of what is no name.
    /// - Parameter what: as a sentence begins with it: "the store's name".
    /// - Throws: `invalidParams`
    package static func checkName(
        _ text: String, _ what: String, bytesMax: Int = Limits.nameBytesMax
    ) throws(ServiceError) {
        guard !isName(text, bytesMax: bytesMax) else { return }
        throw ServiceError(
            .invalidParams, "\(what) has \(text.utf8.count) bytes, or characters that nobody sees",
            remedy: "Use 1 to \(bytesMax) bytes of visible text.")
    }

    /// `text`, or its beginning and `…` where it has more than `bytesMax` bytes. No character is cut in two
    /// halves that are none.
    package static func shortened(_ text: String, bytesMax: Int = Limits.textBytesMax) -> String {
        guard text.utf8.count > bytesMax else { return text }
        let mark = "…"
        var end = text.utf8.index(text.startIndex, offsetBy: max(0, bytesMax - mark.utf8.count))
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            text.utf8.formIndex(before: &end)
        }
        return String(text[..<end]) + mark
    }

    private static func spelled(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar, _ isLines: Bool) -> Bool {
        if isLines && (scalar == "\n" || scalar == "\t") { return false }
        return isHidden(scalar)
    }

    /// Controls, separators of lines and paragraphs, and format characters that turn or hide text: those of
    /// bidirectional text, tags, and invisible spaces and operators. Joiners stay: emoji and many scripts are
    /// spelled with them.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// JSON with each invisible character inside of its strings as `\u`, which means the same. Line feeds and
    /// tabs between its parts stay.
    package static func escapedJSON(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7F || $0 < 0x20 }) else { return json }
        let text = String(decoding: json, as: UTF8.self)
        guard text.unicodeScalars.contains(where: { isHidden($0, true) }) else { return Array(text.utf8) }
        var visible: [UInt8] = []
        visible.reserveCapacity(json.count)
        for scalar in text.unicodeScalars {
            guard isHidden(scalar, true) else {
                visible += scalar.utf8
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                visible += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            }
        }
        return visible
    }
}
