import Loop
import Units

/// Which keys and clicks a cover takes: what somebody types or clicks in the moment in which it appears was
/// meant for the window below it, and what somebody types while buttons are replaced was meant for the
/// earlier ones. A rule without GTK. All times are those of the server, when something was pressed, not when
/// it was read.
struct PressGate {
    enum Input: CaseIterable {
        /// Any key.
        case key
        /// A key on a button: besides ``key``.
        case button
        case pointer

        /// How long nothing of this kind may come before it is taken.
        var quiet: Milliseconds { self == .pointer ? CoverLimits.pointerQuiet : CoverLimits.keyQuiet }
    }

    /// Since when each is taken, if nothing of it came until then; nothing is taken while the cover cannot be
    /// seen.
    private var opening: [Input: Milliseconds] = [:]

    /// The cover can be seen from now on.
    mutating func appear(_ now: Milliseconds) {
        opening = Dictionary(uniqueKeysWithValues: Input.allCases.map { ($0, now + $0.quiet) })
    }

    /// The cover cannot be seen any more.
    mutating func disappear() { opening = [:] }

    /// Other buttons stand there, or the same ones do something else.
    mutating func change(_ now: Milliseconds) {
        for input in [Input.button, .pointer] { wait(input, now) }
    }

    /// Takes no input of this kind until there was none for its time.
    mutating func wait(_ input: Input, _ now: Milliseconds) {
        if let known = opening[input] { opening[input] = max(known, now + input.quiet) }
    }

    /// Whether what was pressed then is taken. What is not makes the next ones wait.
    mutating func takes(_ input: Input, _ time: Milliseconds) -> Bool {
        guard let opening = opening[input] else { return false }
        guard time < opening else { return true }
        wait(input, time)
        return false
    }

    /// A button of the pointer is held that was pressed in another window; what follows it is meant for that.
    mutating func hold(_ now: Milliseconds) {
        if let opening = opening[.pointer], now < opening { wait(.pointer, now) }
    }

    /// When all are taken, if nothing comes; nil while the cover cannot be seen.
    var opensAt: Milliseconds? { opening.values.max() }
}
