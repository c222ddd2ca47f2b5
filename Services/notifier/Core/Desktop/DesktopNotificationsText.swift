/// Prepares texts so that they appear literally, whatever syntax the daemon interprets.
///
/// The body may be markup (capability `body-markup`, specification 1.2, "Markup"). The summary, the app's
/// name and the labels are plain text by the specification, and dunst 1.9 escapes them itself before it
/// inserts them into its own markup, so escaping them here would show `&lt;`.
enum DesktopNotificationsText {
    /// One line: each control character and line end becomes a space.
    static func line(_ words: String) -> String { map(words) { isControl($0) || isLineEnd($0) ? " " : $0 } }

    /// Several lines: line feed and tab stay, CR LF becomes LF, other control characters become U+FFFD.
    static func body(_ words: String, isMarkup: Bool) -> String {
        var clean = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in words.unicodeScalars {
            defer { previous = scalar }
            if scalar == "\n", previous == "\r" { continue }
            clean.append(visible(scalar))
        }
        return isMarkup ? escaped(String(clean)) : String(clean)
    }

    /// A name of the sound theme: our choice for Apple's three, otherwise the given name without a file
    /// extension.
    static func sound(_ name: String) -> String {
        switch name {
        case "default": return "message-new-instant"
        case "default-critical": return "dialog-warning"
        case "default-ringtone": return "phone-incoming-call"
        default:
            let line = line(name)
            guard let dot = line.lastIndex(of: "."), dot != line.startIndex else { return line }
            return String(line[..<dot])
        }
    }

    /// Whether the text has only white space and control characters.
    static func isBlank(_ words: String) -> Bool {
        words.unicodeScalars.allSatisfy { $0.properties.isWhitespace || isControl($0) }
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\n", "\t": scalar
        case "\r": "\n"
        default: isControl(scalar) ? "\u{FFFD}" : replacingNoncharacter(scalar)
        }
    }

    /// Quotes need no escape outside a tag, and some daemons know only these three entities.
    private static func escaped(_ words: String) -> String {
        var result = ""
        for scalar in words.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func map(_ words: String, _ change: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        for scalar in words.unicodeScalars { result.append(replacingNoncharacter(change(scalar))) }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x2028 || scalar.value == 0x2029
    }

    /// sd-bus refuses a whole message because of one noncharacter (utf8_is_valid in systemd).
    private static func replacingNoncharacter(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.properties.isNoncharacterCodePoint ? "\u{FFFD}" : scalar
    }
}
