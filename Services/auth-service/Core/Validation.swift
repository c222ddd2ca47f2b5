import Contract
import Glibc
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

    /// - Throws: `invalidParams` unless the machine's time zone data contains this zone and the services' own
    ///   reader (`Zone`) can read it: the directory also contains files that are not zones.
    static func zone(_ name: String) throws(ServiceError) {
        let isName =
            name.utf8.count <= AuthLimits.zoneBytesMax && !name.hasPrefix("/") && !name.contains("..")
            && name.utf8.allSatisfy { (33...126).contains($0) }
        if isName, hasZoneData("\(zoneDirectory)/\(name)"), isReadable(name) { return }
        throw ServiceError(
            .invalidParams, "unknown time zone '\(name.prefix(64))'",
            remedy: "Use an IANA name such as Europe/Berlin, UTC, or system for the machine's own.")
    }

    private static func isReadable(_ zone: String) -> Bool {
        do throws(CivilTimeError) { _ = try Zone(zone) } catch { return false }
        return true
    }

    private static var zoneDirectory: String {
        getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    }

    /// Whether the file starts as tzfile(5) requires.
    private static func hasZoneData(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var magic = [UInt8](repeating: 0, count: 4)
        return read(descriptor, &magic, 4) == 4 && magic.elementsEqual("TZif".utf8)
    }

    /// - Throws: `invalidParams`
    static func dayStart(_ minutes: Int64) throws(ServiceError) {
        guard !(0...1_439).contains(minutes) else { return }
        throw ServiceError(
            .invalidParams, "a day cannot start \(minutes) minutes after midnight",
            remedy: "Use 0 (midnight) to 1439 (23:59).")
    }

    private static func isOneLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains { VisibleText.isHidden($0) }
    }
}
