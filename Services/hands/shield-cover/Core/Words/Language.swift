import ServiceKit

extension Words {
    /// In the person's language; English if none of theirs is known.
    static func chosen(by environment: [String: String]) -> Words {
        PersonLanguage.wanted(by: environment).lazy
            .compactMap { language in all.first { $0.language == language } }.first ?? .english
    }
}
