import Contract

/// What the system writes on a cover, in one language.
struct Words: Sendable {
    /// ISO 639 code.
    var language: String
    /// The title of the default look.
    var title: String
    /// Its text for an app and for a site, by name.
    var subtitle: @Sendable (_ name: String, _ kind: SubjectKind) -> String
    /// The same where one of the person's own limits shields it.
    var limit: @Sendable (_ screen: ShieldScreen, _ rule: ShieldedBy) -> (title: String, text: String)
    /// The primary button of the default look. It says what it does: Apple's "OK" would be read as an answer
    /// to the sentence above it, and all windows of the app are asked to close.
    var primary: String
    /// Leaves the secondary button's menu.
    var cancel: String
    /// Instead of the subtitle while shield-service cannot be reached; names the primary button.
    var unreachable: @Sendable (_ button: String) -> String
    /// What became of the wish to close the app; names the app and the primary button.
    var closing: @Sendable (_ closing: CoverClosing, _ name: String, _ button: String) -> String
    /// That one more minute is left, in which the person can save.
    var minuteToSave: String
    /// What a screen reader says when the cover appears.
    var announcement: @Sendable (_ name: String) -> String
    /// What a screen reader calls the icon.
    var icon: String
    /// Requests for more time.
    var ask: AskWords
    /// Warnings before a shield.
    var warning: WarningWords

    /// All languages; the first is used where none is known.
    static let all: [Words] = [.english, .korean]
}
