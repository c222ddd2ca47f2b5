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
        primary: "OK",
        cancel: "Cancel",
        unreachable: { "Screen Time cannot be reached right now. “\($0)” closes the app." },
        announcement: { "“\($0)” is restricted" },
        icon: "Hourglass",
        ask: .english,
        warning: .english)
}
