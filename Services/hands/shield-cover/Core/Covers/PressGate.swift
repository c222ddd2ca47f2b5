import Loop
import Units

/// Which keys and clicks a cover takes: what somebody types or clicks in the moment in which it appears was
/// meant for the window below it. A rule without GTK.
struct PressGate {
    enum Input: CaseIterable {
        case key, pointer

        /// How long nothing of this kind may come before it is taken.
        var quiet: Milliseconds { self == .key ? CoverLimits.keyQuiet : CoverLimits.pointerQuiet }
    }

    /// Since when each is taken, if nothing of it came until then; nothing is taken while the cover cannot be
    /// seen.
    private var opening: [Input: Milliseconds] = [:]

    /// The cover can be seen from now on, or says something else.
    /// - Parameter now: of the monotonic clock.
    mutating func appear(_ now: Milliseconds) {
        opening = Dictionary(uniqueKeysWithValues: Input.allCases.map { ($0, now + $0.quiet) })
    }

    /// The cover cannot be seen any more.
    mutating func disappear() { opening = [:] }

    /// Takes no input of this kind until there was none for its time.
    mutating func wait(_ input: Input, _ now: Milliseconds) {
        if opening[input] != nil { opening[input] = now + input.quiet }
    }

    /// Whether a key or click that came now is taken. One that is not makes the next ones wait.
    mutating func takes(_ input: Input, _ now: Milliseconds) -> Bool {
        guard let opening = opening[input] else { return false }
        guard now < opening else { return true }
        wait(input, now)
        return false
    }

    /// A button of the pointer is held that was pressed in another window; what follows it is meant for that.
    mutating func hold(_ now: Milliseconds) {
        if let opening = opening[.pointer], now < opening { wait(.pointer, now) }
    }

    /// When both are taken, if nothing comes; nil while the cover cannot be seen.
    var opensAt: Milliseconds? { opening.values.max() }
}
