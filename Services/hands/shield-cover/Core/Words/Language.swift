import Contract

extension Words {
    /// In the person's language; English if none of theirs is known.
    static func chosen(by environment: [String: String]) -> Words {
        PersonLanguage.chosen(all, \.language, wanted: PersonLanguage.wanted(by: environment))
    }
}
