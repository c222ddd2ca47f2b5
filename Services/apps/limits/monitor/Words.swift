import Contract
import Units

/// The texts of a limit's notifications: the person's message, shown literally, or a sentence in their
/// language.
struct Words {
    private let about: ActivityCallback
    private let language: LimitLanguage

    init(_ about: ActivityCallback, in language: LimitLanguage = .chosen) {
        self.about = about
        self.language = language
    }

    var warningTitle: String { language.almost }
    var reachedTitle: String { language.over }
    var warning: String { own ?? language.left(minutes, subject) }
    var reached: String { own ?? language.usedUp(subject) }

    private var own: String? { about.definition?.message.flatMap { $0.isEmpty ? nil : $0 } }

    /// Whole minutes that are left; 0: less than one.
    private var minutes: Int64 {
        max(0, (about.threshold ?? 0) - (about.total ?? 0)) / .minute
    }

    private var subject: String {
        let event = about.definition
        let names =
            (event?.applications ?? []).map(Self.readable)
            + (event?.categories ?? []).map(language.category) + (event?.webDomains ?? [])
        return language.subject(names)
    }

    /// The last part of an app id or path: `org.gnome.Maps` is Maps.
    private static func readable(_ app: String) -> String {
        let part = app.split { $0 == "/" || (!app.hasPrefix("exe:") && $0 == ".") }.last
        return part.map(String.init) ?? app
    }

    /// Unique per activity, event, occurrence and callback, so that a repeat replaces the notification;
    /// within the contract's limit also for long names.
    func identifier(_ callback: CallbackName) -> String {
        let whole =
            "limits/\(about.member)/\(about.activity)/\(about.event ?? "")/\(about.occurrenceStart)/"
            + callback.rawValue
        guard whole.utf8.count > Limits.nameBytesMax else { return whole }
        return "limits/\(Self.hash(whole))/\(about.occurrenceStart)/\(callback.rawValue)"
    }

    /// FNV-1a of 64 bits.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
