internal import JSON

/// The contract as documents for people, and for programs not written in Swift. They are generated from
/// ``Registry`` alone; the same contract gives the same bytes.
package enum ContractDocument {
    /// One generated document.
    package struct File: Equatable, Sendable {
        /// Relative to `docs/contract`.
        package var path: String
        /// Its content, UTF-8, with a line feed at the end.
        package var text: String
    }

    /// `asyncapi.json`, `settings.md`, then one JSON Schema per message sorted by path.
    package static func files() -> [File] {
        let schemas = Message.all.map { message in
            File(path: "schemas/\(message.name).json", text: message.standaloneSchema.indented())
        }
        return [
            File(path: "asyncapi.json", text: AsyncAPI.document().indented()),
            File(path: "settings.md", text: SettingsPage.text),
        ]
            + schemas.sorted { $0.path < $1.path }
    }
}
