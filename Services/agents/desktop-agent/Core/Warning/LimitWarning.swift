import Contract
import Units

/// A limit that will be reached soon.
struct LimitWarning {
    let key: String
    /// Words of whoever set the limit.
    let body: String?
    /// What announced it.
    let about: ActivityCallback
    private let definition: EventDefinition
    var time: RunningTime
    /// Name of the app in use, of those that count, or the last such name; empty if there was none.
    var title = ""
    /// Whether the person dismissed it.
    var isDismissed = false

    /// Nil unless the callback announces that a limit of the person will be reached: what other programs do
    /// at their thresholds is not known.
    init?(_ about: ActivityCallback) {
        guard about.client == BuiltInClient.limits, let definition = about.definition,
            let threshold = about.threshold, let total = about.total, threshold > total
        else { return nil }
        key = about.warningKey
        body = definition.message
        self.about = about
        self.definition = definition
        time = RunningTime(left: threshold - total)
    }

    /// What an earlier agent showed; nil if it is not a limit's.
    init?(_ standing: StandingWarning) {
        guard let about = standing.warning.about else { return nil }
        self.init(about)
        time = RunningTime(left: .seconds(standing.warning.secondsLeft))
        (title, isDismissed) = (standing.warning.title, standing.dismissed)
    }

    /// Whether it is seen.
    /// - Parameter now: of the monotonic clock.
    func stands(at now: Milliseconds) -> Bool { !isDismissed && time.left(at: now) > 0 }

    /// Whether the callback is of the same activity: what ends one ends all its warnings.
    func isOf(_ other: ActivityCallback) -> Bool {
        other.client == BuiltInClient.limits && other.activity == about.activity
    }

    /// Whether a callback of the same activity says that it was registered again since.
    func isReplaced(by other: ActivityCallback) -> Bool {
        isOf(other) && other.registration > about.registration
    }

    /// Whether its activity is monitored as it was announced.
    func isMonitored(in activities: [MonitoredActivity]) -> Bool {
        activities.contains {
            $0.registration == about.registration && $0.inInterval
                && $0.intervalStart == about.occurrenceStart
        }
    }

    /// Whether use of an app counts.
    /// - Parameter category: nil if unknown.
    func counts(_ app: String, category: String?) -> Bool { definition.counts(app, category: category) }
}
