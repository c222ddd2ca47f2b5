/// Makes untrusted text safe for a terminal, a log or a sentence: nothing in it moves the cursor, changes
/// colours, or reverses the order in which following text is read.
package enum VisibleText {
    /// `text` with each invisible character escaped as in Swift: `\n`, `\u{1B}`.
    /// - Parameter isLines: keep line feeds and tabs, because the text has lines.
    package static func escaped(_ text: String, isLines: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: { isHidden($0, isLines) }) else { return text }
        var visible: [UInt8] = []
        visible.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if isHidden(scalar, isLines) { visible += spelled(scalar).utf8 } else { visible += scalar.utf8 }
        }
        return String(decoding: visible, as: UTF8.self)
    }

    /// Whether `text` is a valid id or name: 1 to `bytesMax` bytes without invisible characters. This rule
    /// applies to everything that somebody has to read, type and compare.
    package static func isName(_ text: String, bytesMax: Int = Limits.nameBytesMax) -> Bool {
        (1...bytesMax).contains(text.utf8.count) && !text.unicodeScalars.contains { isHidden($0) }
    }

    /// Throws if `text` is not a valid name by ``isName(_:bytesMax:)``.
    /// - Parameter what: the subject of the error's sentence: "the store's name".
    /// - Throws: `invalidParams`
    package static func checkName(
        _ text: String, _ what: String, bytesMax: Int = Limits.nameBytesMax
    ) throws(ServiceError) {
        guard !isName(text, bytesMax: bytesMax) else { return }
        throw ServiceError(
            .invalidParams, "\(what) has \(text.utf8.count) bytes, or invisible characters",
            remedy: "Use 1 to \(bytesMax) bytes of visible text.")
    }

    /// `text`, or its beginning and `…` if it has more than `bytesMax` bytes. Unicode scalars are not split.
    package static func shortened(_ text: String, bytesMax: Int = Limits.textBytesMax) -> String {
        guard text.utf8.count > bytesMax else { return text }
        let mark = "…"
        var end = text.utf8.index(text.startIndex, offsetBy: max(0, bytesMax - mark.utf8.count))
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            text.utf8.formIndex(before: &end)
        }
        return String(text[..<end]) + mark
    }

    /// `text` in double quotation marks, for a sentence. Double marks in it become single ones, so that it
    /// cannot end the quotation and go on in the sentence's own voice.
    package static func quoted(_ text: String) -> String {
        var inside = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "“", "„", "‟": inside.append("‘")
            case "”": inside.append("’")
            default: inside.append(scalar)
            }
        }
        return "“\(String(inside))”"
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

    /// Whether a scalar is invisible: controls, line and paragraph separators, and format characters that
    /// reorder or hide text (bidirectional controls, tags, invisible spaces and operators). Joiners are
    /// allowed, because emoji and many scripts need them.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// JSON with each invisible character inside its strings escaped as `\u`, which does not change its
    /// meaning. Line feeds and tabs between tokens stay.
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
