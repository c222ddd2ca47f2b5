import Contract

/// What covers say about requests for more time, in one language.
struct AskWords: Sendable {
    /// The button, and the title of its page.
    var ask: String
    /// What can be asked for: this app or site, a category by its name in the catalogue.
    var subject: @Sendable (AskSubject) -> String
    /// The button that takes one more minute.
    var minute: String
    /// A button: so many minutes; nil is the rest of the day.
    var length: @Sendable (Int64?) -> String
    /// Inside the empty line for the reason.
    var reason: String
    /// Leaves the page.
    var back: String
    /// The button that approves the person's own request.
    var allow: String
    /// When and for how long it was asked; `what` is set if it is a category.
    var asked: @Sendable (_ time: String, _ minutes: Int64?, _ what: String?) -> String
    /// Which guardians decide.
    var othersDecide: @Sendable (_ names: [String]) -> String
    /// When the person may decide, so many minutes after asking.
    var ownDelay: @Sendable (_ minutes: Int64) -> String
    var ownFrom: @Sendable (_ time: String) -> String
    var ownNow: String
    /// The day ends before the person may decide.
    var expires: @Sendable (_ time: String) -> String
    /// The request was denied at a time of day, with the decider's words if there are any.
    var denied: @Sendable (_ time: String, _ answer: String?) -> String
    /// The request that was made at that time expired.
    var expired: @Sendable (_ time: String) -> String
    var allowed: @Sendable (_ until: String) -> String
    var problem: @Sendable (AskProblem) -> String

    /// The lengths that are offered, in minutes; nil is the rest of the day.
    static let lengths: [Int64?] = [15, 60, nil]
}
