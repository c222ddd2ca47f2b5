import Contract
import Glibc
import Rules
import Schedules

/// Validates names.
enum Validation {
    /// - Throws: `invalidParams` unless it has 1 to 255 bytes of letters, digits, `.`, `-` and `_`.
    static func bundleID(_ text: String) throws(ServiceError) {
        let legal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard legal, (1...AuthLimits.bundleIDBytesMax).contains(text.utf8.count) else {
            throw ServiceError(
                .invalidParams, "client is not a bundle id",
                remedy:
                    "Use 1 to \(AuthLimits.bundleIDBytesMax) letters, digits, dots, dashes and underscores, "
                    + "for example org.example.focus.")
        }
    }

    /// - Throws: `invalidParams` for control characters or too many bytes.
    static func clientName(_ text: String) throws(ServiceError) {
        guard VisibleText.isName(text) else {
            throw ServiceError(
                .invalidParams, "client_name is empty, too long or has control characters",
                remedy: "Use one line of 1 to \(Limits.nameBytesMax) bytes, or leave it out.")
        }
    }

    /// - Throws: `invalidParams` unless it has 1 to 512 bytes: an app id, a category or a domain.
    static func subject(_ text: String) throws(ServiceError) {
        guard VisibleText.isName(text) else {
            throw ServiceError(
                .invalidParams,
                "a name is empty, has more than \(Limits.nameBytesMax) bytes or several lines",
                remedy: "Name an app id, a category or a domain.")
        }
    }

    /// How a subject is written everywhere: a domain without what is no part of its name, a category under
    /// its one name.
    ///
    /// - Throws: `invalidParams` as the other, and where there is no such host's name, address or category.
    static func spelling(of text: String, _ kind: SubjectKind) throws(ServiceError) -> String {
        try subject(text)
        let shown = VisibleText.escaped(VisibleText.shortened(text, bytesMax: 64))
        switch kind {
        case .app:
            return text
        case .domain:
            if DomainName.host(text) != nil { return DomainName.spelling(of: text) }
            throw ServiceError(
                .invalidParams, "'\(shown)' is no domain",
                remedy: "Name a site as it is in an address, such as example.org.")
        case .category, .domainCategory:
            if text.lowercased() == ShieldPolicy.everyCategory { return ShieldPolicy.everyCategory }
            if let category = Categories.named(text) { return category }
            throw ServiceError(
                .invalidParams, "there is no category '\(shown)'",
                remedy: "There are: \(Categories.names.sorted().joined(separator: ", ")); or all.")
        }
    }

    /// - Throws: `invalidParams`
    static func selectionName(_ text: String) throws(ServiceError) {
        guard VisibleText.isName(text) else {
            throw ServiceError(
                .invalidParams, "name is empty, too long or has control characters",
                remedy: "Use one line of 1 to \(Limits.nameBytesMax) bytes.")
        }
    }

    /// - Throws: `invalidParams`. A member's name must not look like an id, or the reverse.
    static func memberName(_ name: String) throws(ServiceError) {
        let wrong: String
        if name.isEmpty || name.count > AuthLimits.memberNameCharactersMax {
            wrong = "has \(name.count) characters, 1 to \(AuthLimits.memberNameCharactersMax) are allowed"
        } else if name.utf8.count > AuthLimits.memberNameBytesMax {
            wrong = "has \(name.utf8.count) bytes, \(AuthLimits.memberNameBytesMax) are allowed"
        } else if !isOneLine(name) {
            wrong = "has control characters"
        } else if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
            wrong = "begins or ends with a space"
        } else if name.hasPrefix("uid-") || name.hasPrefix("member-") || name.hasPrefix("-") {
            wrong = "begins with uid-, member- or a dash, as ids and options do"
        } else {
            return
        }
        throw ServiceError(.invalidParams, "the name \(wrong)", remedy: "Choose another name.")
    }

    /// - Throws: `invalidParams` unless the machine's time zone data contains this zone.
    static func zone(_ name: String) throws(ServiceError) {
        if name.utf8.count <= AuthLimits.zoneBytesMax, isZone(name) { return }
        throw ServiceError(
            .invalidParams, "unknown time zone '\(name.prefix(64))'",
            remedy: "Use an IANA name such as Europe/Berlin, UTC, or system for the machine's own.")
    }

    /// Not a fixed offset by Foundation's name: the C library, to which TZ tells a member's zone, reads such
    /// names with the opposite sign.
    private static func isZone(_ name: String) -> Bool {
        do throws(CivilTimeError) { return try !Zone(name).isFixedOffset } catch { return false }
    }

    /// - Throws: `invalidParams`
    static func dayStart(_ minutes: Int64) throws(ServiceError) {
        guard !(0...1_439).contains(minutes) else { return }
        throw ServiceError(
            .invalidParams, "a day cannot start \(minutes) minutes after midnight",
            remedy: "Use 0 (midnight) to 1439 (23:59).")
    }

    /// - Throws: `invalidParams`
    static func minutes(_ minutes: Int64) throws(ServiceError) {
        guard !(1...AuthLimits.requestMinutesMax).contains(minutes) else { return }
        throw ServiceError(
            .invalidParams, "minutes is \(minutes), 1 to \(AuthLimits.requestMinutesMax) are allowed",
            remedy: "Leave it out for the rest of the day.")
    }

    /// - Throws: `invalidParams`
    static func selfApproval(_ minutes: Int64) throws(ServiceError) {
        guard !(0...AuthLimits.requestMinutesMax).contains(minutes) else { return }
        throw ServiceError(
            .invalidParams,
            "self_approval_minutes is \(minutes), 0 to \(AuthLimits.requestMinutesMax) are allowed",
            remedy: "Use 0 to approve your own requests at once, 1440 to wait a day.")
    }

    /// A person's words for another person, in one line; nil if they are empty. Further lines could imitate
    /// what a question or a table says around them.
    /// - Parameter what: the subject of the error's sentence: "the reason".
    /// - Throws: `invalidParams`
    static func words(_ text: String?, _ what: String) throws(ServiceError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let wrong: String
        if text.count > AuthLimits.wordsCharactersMax {
            wrong = "has \(text.count) characters, \(AuthLimits.wordsCharactersMax) are allowed"
        } else if text.utf8.count > AuthLimits.wordsBytesMax {
            wrong = "has \(text.utf8.count) bytes, \(AuthLimits.wordsBytesMax) are allowed"
        } else if !isOneLine(text) {
            wrong = "has several lines or invisible characters"
        } else if isBlank(text) {
            wrong = "has nothing that can be seen"
        } else {
            return text
        }
        throw ServiceError(.invalidParams, "\(what) \(wrong)", remedy: "Say it in one short line.")
    }

    /// Whether it has spaces only, and what looks like them: fillers of Hangul and Braille, and marks without
    /// a letter.
    private static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
                || scalar == "\u{2800}"
        }
    }

    private static func isOneLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains { VisibleText.isHidden($0) }
    }
}
