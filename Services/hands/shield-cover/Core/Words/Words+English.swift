import Contract

extension Words {
    static let english = Words(
        language: "en",
        title: EnglishWords.shield(by: nil, .app, "", category: nil).title,
        subtitle: { name, kind in EnglishWords.shield(by: nil, kind, name, category: nil).text },
        limit: { screen, rule in
            EnglishWords.shield(by: rule, screen.kind, screen.name, category: screen.category)
        },
        primary: "Close",
        cancel: "Cancel",
        unreachable: { "Screen Time cannot be reached right now. “\($0)” closes the app." },
        closing: { closing, name, button in
            switch closing {
            case .stayed:
                "“\(name)” has not closed. It may be asking whether to save. “\(button)” now ends it "
                    + "without saving."
            case .shared:
                "“\(name)” has not closed. It is not ended, because it shares a process with another app."
            case .asking: "“\(name)” asks something in a window of its own. “\(button)” shows it."
            }
        },
        minuteToSave: "With One More Minute you can save.",
        announcement: { "“\($0)” is restricted" },
        icon: "Hourglass",
        ask: .english,
        warning: .english)
}
