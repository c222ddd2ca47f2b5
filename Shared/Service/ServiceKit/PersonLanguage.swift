/// The person's languages by the environment, as gettext chooses them: LANGUAGE (a list) unless the locale is
/// C, then LC_ALL, LC_MESSAGES or LANG.
package enum PersonLanguage {
    /// Codes of languages, as `ko`, the most wanted first; empty if the environment names none.
    package static func wanted(by environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard name != "C", name != "POSIX" else { return [] }
        return ((environment["LANGUAGE"] ?? "").split(separator: ":") + [name]).map { wanted in
            String(wanted.prefix { !"_-.@".contains($0) })
        }
    }
}
