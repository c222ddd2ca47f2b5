extension Words {
    static let english = Words(
        language: "en",
        title: "Restricted",
        subtitle: { name, kind in
            switch kind {
            case .domain: "You cannot visit “\(name)” because it is restricted."
            default: "You cannot use “\(name)” because it is restricted."
            }
        },
        limit: { screen, rule in
            switch (rule, screen.kind) {
            case (.limit, _) where screen.category == nil:
                ("Time Limit", "You have reached today’s limit for “\(screen.name)”.")
            case (.limit, .domain):
                ("Time Limit", "You have reached today’s limit for “\(screen.name)” and sites like it.")
            case (.limit, _):
                ("Time Limit", "You have reached today’s limit for “\(screen.name)” and apps like it.")
            case (.hours, .domain): ("Closed Now", "You cannot visit “\(screen.name)” at this hour.")
            case (.hours, _): ("Closed Now", "You cannot use “\(screen.name)” at this hour.")
            }
        },
        primary: "OK",
        cancel: "Cancel",
        unreachable: { "Screen Time cannot be reached right now. “\($0)” closes the app." },
        announcement: { "“\($0)” is restricted" },
        icon: "Hourglass",
        ask: .english,
        warning: .english)
}
