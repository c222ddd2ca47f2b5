/// The languages that a person reads, by the environment.
package enum WantedLanguages {
    /// ISO 639 codes, the best first, as gettext chooses: LANGUAGE (a list) unless the locale is C, else
    /// LC_ALL, LC_MESSAGES, LANG. Empty if none is known.
    package static func of(_ environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard name != "C", name != "POSIX" else { return [] }
        return ((environment["LANGUAGE"] ?? "").split(separator: ":") + [name]).map { wanted in
            String(wanted.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" })
        }
    }
}
