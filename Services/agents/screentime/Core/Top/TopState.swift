import Contract
import Units

/// What `top` shows at one moment.
struct TopState: Sendable {
    struct Row: Sendable, Equatable {
        var name: String
        var time: Milliseconds
    }

    struct Shield: Sendable, Equatable {
        var name: String
        /// Stores and rules, or until when it may be used all the same.
        var why: String
    }

    var now: Instant = 0
    var total: Milliseconds = 0
    /// What is in the foreground, and since when.
    var current: (name: String, since: Instant)?
    /// The longest first.
    var apps: [Row] = []
    var shields: [Shield] = []
    var exceptions: [Shield] = []
    /// Sentences, such as that nothing is measured.
    var notes: [String] = []
}
