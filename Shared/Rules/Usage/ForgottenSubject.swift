/// Placeholder for a subject that a person had deleted. In observations it replaces the subject, so that the
/// focus stays with it and no other subject moves to the foreground in its place; it is never reported.
///
/// Its id is a number after the last Unicode scalar value. Names decide the order among changes of one
/// instant (`UsageChange.<`), so there are two names: one sorts before, one after those of real apps and
/// hosts. Both mean the same subject. Exports contain them, and imports accept them.
extension Subject {
    private static let mark = "\u{10FFFF}"
    private static let early = "!"

    /// The placeholder for a deleted subject.
    /// - Parameter number: different for each deletion.
    /// - Parameter sortsLast: which of the two names.
    package static func forgotten(_ kind: Kind, _ number: Int64, sortsLast: Bool) -> Subject {
        Subject(kind, "\(sortsLast ? "" : early)\(mark)\(number)")
    }

    /// Whether it is a placeholder, under either name.
    package var isForgotten: Bool {
        switch id.utf8.first {
        case 0xF4: id.hasPrefix(Self.mark)
        case UInt8(ascii: "!"): id.hasPrefix(Self.early + Self.mark)
        default: false
        }
    }

    /// The placeholder under its early name, which machines use; other subjects are unchanged.
    var canonical: Subject {
        guard id.utf8.first == 0xF4, isForgotten else { return self }
        return Subject(kind, Self.early + id)
    }
}

extension UsageMachine.Tab {
    /// The tab with the early name of a placeholder.
    var canonical: Self {
        Self(
            host: Subject.domain(host).canonical.id, browser: browser.map { Subject.app($0).canonical.id },
            until: until)
    }
}

extension UsageMachine {
    /// Replaces subjects in the whole state. `next` returns the replacement, or nil to keep the subject.
    package mutating func rename(_ next: (Subject) -> Subject?) {
        front = Dictionary(front.map { (next($0.key) ?? $0.key, $0.value) }) { $0.union($1) }
        running = Dictionary(running.map { (next($0.key) ?? $0.key, $0.value) }) { first, _ in first }
        focus = focus.map { next($0) ?? $0 }
        if let already = pickup?.already { pickup?.already = next(already) ?? already }
        guard let known = tab else { return }
        tab?.host = next(.domain(known.host))?.id ?? known.host
        tab?.browser = known.browser.map { next(.app($0))?.id ?? $0 }
    }
}
