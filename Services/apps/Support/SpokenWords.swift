internal import Contract

extension AppWords {
    /// What an extension program says to the person, in their language.
    package static func spoken(english: String, korean: String) -> String {
        let texts = [(code: "en", text: english), (code: "ko", text: korean)]
        return PersonLanguage.chosen(texts, \.code, wanted: PersonLanguage.wanted).text
    }
}
