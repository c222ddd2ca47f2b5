import Foundation

/// The person's languages and their plural rules.
enum Languages {
    /// Names of localizations in order of preference, from the first of LANGUAGE, LC_ALL, LC_MESSAGES and
    /// LANG that is set.
    static var wanted: [String] {
        let environment = ProcessInfo.processInfo.environment
        let set = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        guard let chosen = set.first(where: { !$0.isEmpty }) else { return [] }
        return chosen.split(separator: ":").flatMap { names(of: String($0)) }
    }

    /// For example de_CH.UTF-8 gives de-CH, de_CH, de. C and POSIX give none.
    static func names(of posix: String) -> [String] {
        let name = String(posix.prefix { $0 != "." && $0 != "@" })
        let language = String(name.prefix { $0 != "_" && $0 != "-" })
        guard !["C", "POSIX", ""].contains(name) else { return [] }
        let hyphened = name.replacingOccurrences(of: "_", with: "-")
        let script =
            switch hyphened {
            case "zh", "zh-CN", "zh-SG": ["zh-Hans"]
            case "zh-TW", "zh-HK", "zh-MO": ["zh-Hant"]
            default: [String]()
            }
        var seen: Set<String> = []
        return ([hyphened, hyphened.replacingOccurrences(of: "-", with: "_")] + script + [language])
            .filter { seen.insert($0).inserted }
    }

    /// The plural category of a whole number by Unicode's rules.
    static func plural(of number: Int64, in language: String) -> String {
        let (tens, ones) = (number.magnitude % 100, number.magnitude % 10)
        switch language.prefix(while: { $0 != "-" && $0 != "_" }) {
        case "ja", "ko", "zh", "vi", "th", "id", "ms": return "other"
        case "fr", "pt", "hi", "fa", "am", "bn": return number.magnitude < 2 ? "one" : "other"
        case "ru", "uk", "be", "sr", "hr", "bs":
            if ones == 1, tens != 11 { return "one" }
            return (2...4).contains(ones) && !(12...14).contains(tens) ? "few" : "many"
        case "pl":
            if number == 1 { return "one" }
            return (2...4).contains(ones) && !(12...14).contains(tens) ? "few" : "many"
        case "cs", "sk": return number == 1 ? "one" : (2...4).contains(number) ? "few" : "other"
        case "lt":
            if ones == 1, !(11...19).contains(tens) { return "one" }
            return (2...9).contains(ones) && !(11...19).contains(tens) ? "few" : "other"
        case "ar":
            if number <= 2 { return ["zero", "one", "two"][Int(max(0, number))] }
            return (3...10).contains(tens) ? "few" : (11...99).contains(tens) ? "many" : "other"
        case "he": return number == 1 ? "one" : number == 2 ? "two" : "other"
        default: return number == 1 ? "one" : "other"
        }
    }
}
