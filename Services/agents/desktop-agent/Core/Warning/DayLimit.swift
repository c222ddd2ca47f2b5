import Contract
import Units

/// A limit of the person that counts now, with what is left of it.
struct DayLimit {
    /// The callback that its end would be, with the use so far.
    let about: ActivityCallback
    let definition: EventDefinition
    /// How long before its end a warning comes; nil: none does.
    let warningTime: Milliseconds?
    var time: RunningTime

    /// Nil if it does not say what it counts, or for how long.
    init?(_ about: ActivityCallback, warningTime: Milliseconds?) {
        guard let definition = about.definition, let threshold = about.threshold else { return nil }
        self.about = about
        self.definition = definition
        self.warningTime = warningTime
        time = RunningTime(left: max(0, threshold - (about.total ?? 0)))
    }

    /// What is shown before its end; nil: not yet, or it is over.
    var warning: LimitWarning? {
        guard let warningTime, time.left(at: 0) <= warningTime else { return nil }
        return LimitWarning(about)
    }
}
