internal import CommandKit
internal import Contract

/// Numbers, names and sentences on the command lines of the built-in apps, as the services take them: what is
/// wrong with them is said before the person is asked.
extension AppWords {
    /// A whole number in digits alone; nil: it is none.
    package static func number(_ text: some StringProtocol) -> Int? {
        WholeNumber.of(text).flatMap { Int(exactly: $0) }
    }

    /// Bytes of a name that the services take.
    package static let nameBytesMax = Limits.nameBytesMax

    /// A name that the services take: visible, and no longer than they keep.
    /// - Parameter what: as a sentence begins with it: "the selection's name".
    /// - Throws: `CommandError` for any other.
    package static func name(
        _ text: String, _ what: String, bytesMax: Int = nameBytesMax
    ) throws -> String {
        do throws(ServiceError) { try VisibleText.checkName(text, what, bytesMax: bytesMax) } catch {
            throw CommandError(error.message, remedy: error.remedy, code: CommandError.usage)
        }
        return text
    }

    /// The person's own words, as a notification says them.
    /// - Throws: `CommandError` when they have more bytes than one takes.
    package static func sentence(_ text: String) throws -> String {
        guard text.utf8.count <= Limits.textBytesMax else {
            throw CommandError(
                "the sentence has \(text.utf8.count) bytes",
                remedy: "Write up to \(Limits.textBytesMax) bytes.", code: CommandError.usage)
        }
        return text
    }
}
