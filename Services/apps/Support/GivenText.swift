internal import CommandKit
internal import Contract

/// Numbers, names and sentences on the command lines of the built-in apps, with the limits of the services:
/// errors are reported before the person is asked for permission.
extension AppWords {
    /// An integer of digits only; nil for anything else.
    package static func number(_ text: some StringProtocol) -> Int? {
        WholeNumber.of(text).flatMap { Int(exactly: $0) }
    }

    /// Maximum bytes of a name in the services.
    package static let nameBytesMax = Limits.nameBytesMax

    /// Checks a name: visible characters, and not too long for the services.
    /// - Parameter what: subject of the error's sentence, for example "the selection's name".
    /// - Throws: `CommandError` for any other name.
    package static func name(
        _ text: String, _ what: String, bytesMax: Int = nameBytesMax
    ) throws -> String {
        do throws(ServiceError) { try VisibleText.checkName(text, what, bytesMax: bytesMax) } catch {
            throw CommandError(error.message, remedy: error.remedy, code: CommandError.usage)
        }
        return text
    }

    /// Checks the person's own text for a notification.
    /// - Throws: `CommandError` if it has too many bytes.
    package static func sentence(_ text: String) throws -> String {
        guard text.utf8.count <= Limits.textBytesMax else {
            throw CommandError(
                "the sentence has \(text.utf8.count) bytes",
                remedy: "Write up to \(Limits.textBytesMax) bytes.", code: CommandError.usage)
        }
        return text
    }
}
