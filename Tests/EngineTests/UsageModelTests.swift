import Engine
import Testing

/// Random small histories against a slow, obvious model of the rules of use. One tick is 10 s, so that
/// seven of them without a sign of life are a silence.
struct UsageModelTests {
    static let tick_ms: Int64 = 10_000

    /// Asks the whole history again for every gap between two changes, without any state of its own.
    struct Model {
        let history: [UsageChange]

        /// Every tick at which each subject was in use.
        var instants: [Subject: Set<Int64>] {
            var instants: [Subject: Set<Int64>] = [:]
            for index in history.indices.dropLast() where !endsUnseen(index + 1) {
                let known = Array(history[...index].suffix(from: beginning(index)))
                guard !isAway(known) else { continue }
                for subject in inFront(known) where !isUnseen(subject, after: index) {
                    instants[subject, default: []].formUnion(
                        history[index].at_ms / tick_ms..<history[index + 1].at_ms / tick_ms)
                }
            }
            return instants
        }

        /// Power was lost, or an unannounced suspend lies, between this change and the one before.
        private func endsUnseen(_ index: Int) -> Bool {
            if isNewBoot(index) { return true }
            guard history[index].kind == .resume else { return false }
            let known = sinceSensor(Array(history[beginning(index - 1)..<index]))
            return known.last { $0.kind == .suspend || $0.kind == .resume }?.kind != .suspend
        }

        /// Still in front when the sensor's silence was found.
        private func isUnseen(_ subject: Subject, after index: Int) -> Bool {
            guard let found = silenceFound(after: index) else { return false }
            return (index..<found).allSatisfy {
                inFront(Array(history[...$0].suffix(from: beginning($0)))).contains(subject)
            }
        }

        /// The sensor had begun to tell signs of life: the change that shows that none came for too long
        /// after the last one before this; nil: one came in time.
        private func silenceFound(after index: Int) -> Int? {
            let known = sinceSensor(Array(history[...index].suffix(from: beginning(index))))
            guard known.contains(where: { $0.kind == .alive }),
                let sign = known.last(where: \.kind.isSign)
            else { return nil }
            let next = history.indices.dropFirst(index + 1).first { later in
                history[later].kind.isSign || history[later].kind == .sensorLost || isNewBoot(later)
                    || history[later].at_ms - sign.at_ms > UsageMachine.silence_ms
            }
            guard let next, !isNewBoot(next) else { return nil }
            return history[next].at_ms - sign.at_ms > UsageMachine.silence_ms ? next : nil
        }

        private func isNewBoot(_ index: Int) -> Bool {
            guard let boot = history[index].boot?.id else { return false }
            let before = history[..<index].last { $0.boot != nil }?.boot?.id
            return before != nil && before != boot
        }

        /// From where on the history counts: the last time everything was forgotten.
        private func beginning(_ index: Int) -> Int {
            var start = 0
            for candidate in 0...index {
                if history[candidate].kind == .reset { start = candidate + 1 }
                if isNewBoot(candidate) { start = candidate }
            }
            return min(start, index + 1)
        }

        private func isAway(_ known: [UsageChange]) -> Bool {
            let told = known.filter { ![.alive, .domain, .notification].contains($0.kind.name) }
            if told.last?.kind == .sensorLost { return true }
            let session = sinceSensor(known)
            func last(_ on: UsageChange.Kind, _ off: UsageChange.Kind) -> Bool {
                session.last { $0.kind == on || $0.kind == off }?.kind == on
            }
            return last(.idle, .active) || last(.locked, .unlocked) || last(.suspend, .resume)
        }

        private func sinceSensor(_ known: [UsageChange]) -> [UsageChange] {
            let lost = known.lastIndex { $0.kind == .sensorLost }
            return lost.map { Array(known[($0 + 1)...]) } ?? known
        }

        private func inFront(_ known: [UsageChange]) -> Set<Subject> {
            let session = sinceSensor(known)
            var front: Set<Subject> = []
            var focus: UsageChange.Focus = .nothing
            for change in session { if case .focus(let next) = change.kind { focus = next } }
            if case .app(let id) = focus { front.insert(.app(id)) }
            if focus == .unknown { front.insert(.unknownApp) }
            for (index, change) in session.enumerated() {
                guard case .opened(let subject, let instance) = change.kind else { continue }
                let closed = UsageChange.Kind.closed(subject, instance: instance)
                if !session[index...].contains(where: { $0.kind == closed }) { front.insert(subject) }
            }
            let tab = known.last { $0.kind.name == .domain }
            if case .domain(let host?, let browser)? = tab?.kind {
                if browser == nil || focus == .app(browser ?? "") { front.insert(.domain(host)) }
            }
            return front
        }
    }

    static func history(_ chance: inout Chance) -> [UsageChange] {
        var at_ms: Int64 = 0
        var boot = 0
        let boots = Bool.random(using: &chance)
        return (0..<Int.random(in: 1...30, using: &chance)).map { ordinal in
            at_ms += ([0, 1, 2, 7].randomElement(using: &chance) ?? 0) * tick_ms
            if boots && Int.random(in: 0..<12, using: &chance) == 0 { boot += 1 }
            let time = boots ? UsageChange.BootTime(id: "boot\(boot)", elapsed_ms: at_ms) : nil
            return UsageChange(at_ms: at_ms, ordinal: Int64(ordinal), boot: time, kind(&chance))
        }
    }

    static func kind(_ chance: inout Chance) -> UsageChange.Kind {
        let app = ["a", "b", "c"].randomElement(using: &chance) ?? "a"
        let instance = Int64.random(in: 0...1, using: &chance)
        switch Int.random(in: 0..<22, using: &chance) {
        case 0...2: return .focus(.app(app))
        case 3: return .focus(Bool.random(using: &chance) ? .unknown : .nothing)
        case 4...6: return .opened(.app(app), instance: instance)
        case 7...9: return .closed(.app(app), instance: instance)
        case 10: return .domain(app + ".org", browser: Bool.random(using: &chance) ? "b" : nil)
        case 11: return .domain(nil, browser: nil)
        case 12: return .idle
        case 13: return .active
        case 14: return .locked
        case 15: return .unlocked
        case 16: return .suspend
        case 17: return .resume
        case 18: return .reset
        case 19: return .sensorLost
        case 20: return .notification(.app(app))
        default: return .alive
        }
    }

    @Test(arguments: (0..<4000).map { UInt64($0) })
    func agreesWithTheModel(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let history = Self.history(&chance)
        var machine = UsageMachine()
        var output = UsageOutput()
        for change in history {
            machine.apply(change, &output)
            let restored = try UsageMachine(decoding: machine.encoded())
            #expect(restored == machine)
            machine = restored
        }
        let closing = machine.closing()
        let use = DeviceUse(device: "d", uses: output.uses + closing.uses)
        let instants = use.uses.mapValues { uses in
            Set(uses.intervals.flatMap { $0.start_ms / Self.tick_ms..<$0.end_ms / Self.tick_ms })
        }
        #expect(
            instants == Model(history: history).instants.filter { !$0.value.isEmpty },
            "\(history.map { "\($0.at_ms) \($0.boot?.id ?? "") \($0.kind)" }.joined(separator: "\n"))")

        let measured = (output.uses + closing.uses).reduce(0) { $0 + $1.interval.duration_ms }
        #expect(
            measured == use.uses.values.reduce(0) { $0 + $1.total_ms }, "no second of a subject counts twice")
        let marks = output.marks + closing.marks
        let unlocks = history.filter { $0.kind == .unlocked }.map(\.at_ms)
        #expect(marks.filter { $0.kind == .pickup }.map(\.at_ms).sorted() == unlocks)
        #expect(
            try history.allSatisfy { try UsageChange($0.observation) == $0 }, "an observation says it all")
    }
}

extension UsageChange.Kind {
    enum Name { case alive, domain, notification, other }

    var name: Name {
        switch self {
        case .alive: .alive
        case .domain, .visit: .domain
        case .notification: .notification
        default: .other
        }
    }

    /// Whether it shows that the session's sensor lives.
    var isSign: Bool { self == .alive || name == .other && self != .sensorLost }
}
