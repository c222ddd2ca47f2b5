import Contract
import Units

/// A limit that will be reached soon.
struct LimitWarning {
    let key: String
    /// Words of whoever set the limit.
    let body: String?
    private let activity: String
    private let definition: EventDefinition
    var time: RunningTime

    /// Nil unless the callback announces that a limit of the person will be reached: what other programs do
    /// at their thresholds is not known.
    init?(_ about: ActivityCallback) {
        guard about.client == BuiltInClient.limits, let definition = about.definition,
            let threshold = about.threshold, let total = about.total, threshold > total
        else { return nil }
        key = about.warningKey
        body = definition.message
        activity = about.activity
        self.definition = definition
        time = RunningTime(left: threshold - total)
    }

    /// Whether the callback is of the same activity: what ends one ends all its warnings.
    func isOf(_ about: ActivityCallback) -> Bool {
        about.client == BuiltInClient.limits && about.activity == activity
    }

    /// Whether use of an app counts (docs/time.md, section 6).
    /// - Parameter category: nil if unknown.
    func counts(_ app: String, category: String?) -> Bool {
        if definition.applications?.contains(app) == true { return true }
        if definition.except?.applications?.contains(app) == true { return false }
        if let category, definition.except?.categories?.contains(category) == true { return false }
        if let category, definition.categories?.contains(category) == true { return true }
        let named = [definition.applications, definition.categories, definition.webDomains]
        return named.allSatisfy { $0?.isEmpty ?? true }
    }

    /// - Parameter app: display name of the app in use, if its use counts.
    func title(_ app: String?) -> String { app ?? activity }
}
