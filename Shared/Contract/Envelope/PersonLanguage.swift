internal import Glibc

/// The person's languages by the environment, as gettext chooses them: LANGUAGE (a list) unless the locale is
/// C, then LC_ALL, LC_MESSAGES or LANG.
package enum PersonLanguage {
    /// What gettext reads.
    package static let variables = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]

    /// As ``wanted(by:)``, by the environment of this process.
    package static var wanted: [String] {
        wanted(by: variables.reduce(into: [:]) { $0[$1] = getenv($1).map { String(cString: $0) } })
    }

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

    /// Those of the words whose language is wanted most; the first ones if none of their languages is.
    /// - Parameters:
    ///   - wanted: codes, the most wanted first.
    ///   - words: at least one.
    package static func chosen<Words>(
        _ words: [Words], _ language: KeyPath<Words, String>, wanted: [String]
    ) -> Words {
        wanted.lazy.compactMap { code in words.first { $0[keyPath: language] == code } }.first ?? words[0]
    }
}
