import Contract

extension Words {
    static let english = Words(
        language: "en",
        title: EnglishWords.shield(by: nil, .app, "", category: nil).title,
        subtitle: { name, kind in EnglishWords.shield(by: nil, kind, name, category: nil).text },
        limit: { screen, rule in
            EnglishWords.shield(by: rule, screen.kind, screen.name, category: screen.category)
        },
        primary: EnglishWords.shieldButton,
        cancel: "Cancel",
        unreachable: { "Screen Time cannot be reached right now. “\($0)” closes the app." },
        announcement: { "“\($0)” is restricted" },
        icon: "Hourglass",
        ask: .english,
        warning: .english)
}
