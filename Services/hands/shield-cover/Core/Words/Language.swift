extension Words {
    /// The person's language by the environment, as gettext chooses it: LANGUAGE (a list) unless the locale
    /// is C, else LC_ALL, LC_MESSAGES, LANG. English if none is known.
    static func chosen(by environment: [String: String]) -> Words {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard name != "C", name != "POSIX" else { return .english }
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":") + [name]
        for wanted in list {
            let language = wanted.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }
            if let words = all.first(where: { $0.language == language }) { return words }
        }
        return .english
    }
}
