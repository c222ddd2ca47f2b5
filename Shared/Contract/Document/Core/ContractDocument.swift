internal import JSON

/// The contract as documents for people and programs that do not read Swift: made from ``Registry`` alone,
/// always the same bytes for the same contract.
package enum ContractDocument {
    package struct File: Equatable, Sendable {
        /// Relative to `docs/contract`.
        package var path: String
        package var text: String
    }

    /// `asyncapi.json`, `settings.md`, then one JSON Schema per message, sorted by path.
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
