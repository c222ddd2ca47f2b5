internal import Contract

/// Numbers, names and sentences on the command lines of the built-in apps, as the services take them: what is
/// wrong with them is said before the person is asked.
extension AppWords {
    /// The person's own words, as a notification says them.
    /// - Throws: `AppError` when they have more bytes than one takes.
    package static func sentence(_ text: String) throws -> String {
        guard text.utf8.count <= Limits.textBytesMax else {
            throw AppError(
                "the sentence has \(text.utf8.count) bytes",
                remedy: "Write up to \(Limits.textBytesMax) bytes.", code: AppError.usage)
        }
        return text
    }
}
