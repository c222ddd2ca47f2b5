import Contract

extension AskWords {
    static let english = AskWords(
        ask: "Ask for More Time",
        subject: { subject in
            switch subject.kind {
            case .app: "This app"
            case .domain: "This site"
            case .category: subject.subject == "all" ? "All apps" : "All apps in “\(named(subject))”"
            case .domainCategory: subject.subject == "all" ? "All sites" : "All sites in “\(named(subject))”"
            }
        },
        minute: "One More Minute",
        length: { $0 == nil ? "Rest of the day" : EnglishWords.length(minutes: $0) },
        reason: "Reason (optional)",
        back: "Back",
        allow: "Allow Now",
        asked: { time, minutes, what in
            let length = EnglishWords.length(minutes: minutes)
            let with = what.map { " with \($0.prefix(1).lowercased() + $0.dropFirst())" } ?? ""
            return "Asked at \(time) for \(length)\(with)."
        },
        othersDecide: { names in
            switch names.count {
            case 0: "A guardian decides."
            case 1: "\(names[0]) decides."
            default: "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1]) decides."
            }
        },
        ownDelay: { minutes in
            minutes == 0
                ? "You decide yourself."
                : "You can decide \(EnglishWords.length(minutes: minutes)) after asking."
        },
        ownFrom: { "You can decide from \($0)." },
        ownNow: "You can decide now.",
        expires: { "The request expires at \($0)." },
        denied: { time, answer in
            answer.map { "Denied at \(time): \($0)" } ?? "The request was denied at \(time)."
        },
        expired: { "The request of \($0) expired." },
        allowed: { "Allowed until \($0)." },
        problem: { problem in
            switch problem {
            case .conflict: "The request has changed meanwhile. Look again before you ask."
            case .limit: "Too many requests are open. Try again later."
            case .tooEarly: "It is too early to decide. Try again in a moment."
            case .minuteUsed: "The extra minute of today is used up."
            case .unreachable, .unanswered: "Screen Time cannot be reached right now. Try again."
            case .refused: "Screen Time refused the request."
            }
        })

    /// A category as people read it.
    private static func named(_ subject: AskSubject) -> String {
        subject.subject.prefix(1).uppercased() + subject.subject.dropFirst()
    }
}
