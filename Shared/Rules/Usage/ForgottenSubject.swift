/// What stands in observations in the place of a subject that a person had forgotten: it goes on holding the
/// focus, so that nothing else comes to the front in its stead, and nothing of it is ever told.
///
/// Its name is a number behind the last of all scalar values. Among changes of one instant names decide the
/// order (`UsageChange.<`), so there are two names: one comes before, one after those of real apps and
/// hosts.
/// They are one subject. An export hands them on, and an import takes them.
extension Subject {
    private static let mark = "\u{10FFFF}"
    private static let early = "!"

    /// - Parameter number: another one each time something is forgotten.
    package static func forgotten(_ kind: Kind, _ number: Int64, sortsLast: Bool) -> Subject {
        Subject(kind, "\(sortsLast ? "" : early)\(mark)\(number)")
    }

    /// By one name or the other.
    package var isForgotten: Bool {
        switch id.utf8.first {
        case 0xF4: id.hasPrefix(Self.mark)
        case UInt8(ascii: "!"): id.hasPrefix(Self.early + Self.mark)
        default: false
        }
    }

    /// The one name of a forgotten subject that machines know, the early one; others are as they are.
    var canonical: Subject {
        guard id.utf8.first == 0xF4, isForgotten else { return self }
        return Subject(kind, Self.early + id)
    }
}

extension UsageMachine.Tab {
    /// With the one name of each forgotten subject.
    var canonical: Self {
        Self(
            host: Subject.domain(host).canonical.id, browser: browser.map { Subject.app($0).canonical.id },
            until: until)
    }
}

extension UsageMachine {
    /// Puts other subjects in the place of some, wherever they are remembered.
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
