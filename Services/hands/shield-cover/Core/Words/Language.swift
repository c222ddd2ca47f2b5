import ServiceKit

extension Words {
    /// The person's language by the environment. English if none is known.
    static func chosen(by environment: [String: String]) -> Words {
        let known = WantedLanguages.of(environment).lazy.compactMap { wanted in
            all.first { $0.language == wanted }
        }
        return known.first ?? .english
    }
}
