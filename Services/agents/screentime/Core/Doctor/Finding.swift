import JSON

/// One thing that `doctor` looked at.
struct Finding: Sendable, Equatable {
    enum State: String {
        case ok, warning, error
    }
    var check: String
    var state: State
    /// What is so, and why it matters.
    var message: String
    /// What to do; empty when all is well.
    var remedy: String

    static func ok(_ check: String, _ message: String) -> Finding {
        Finding(check: check, state: .ok, message: message, remedy: "")
    }
    static func warning(_ check: String, _ message: String, _ remedy: String) -> Finding {
        Finding(check: check, state: .warning, message: message, remedy: remedy)
    }
    static func error(_ check: String, _ message: String, _ remedy: String) -> Finding {
        Finding(check: check, state: .error, message: message, remedy: remedy)
    }

    var json: JSONValue {
        [
            "check": .string(check), "state": .string(state.rawValue), "message": .string(message),
            "remedy": .string(remedy),
        ]
    }
}
