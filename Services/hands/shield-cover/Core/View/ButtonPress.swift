import Units

/// The last press that a button may have taken. GTK clicks when the pointer's button is released, and up to
/// 0.25 s after a key.
struct ButtonPress {
    /// Which meaning the buttons had.
    private let meaning: Int
    /// Until when a click may come of it, on the loop's clock; nil while the pointer's button is held.
    private var end: Milliseconds?

    /// The pointer's button was pressed.
    init(meaning: Int) { self.meaning = meaning }

    init(meaning: Int, key now: Milliseconds) {
        self.meaning = meaning
        end = now + CoverLimits.keyQuiet
    }

    /// The pointer's button was released.
    mutating func release(_ now: Milliseconds) { end = end ?? now + CoverLimits.pointerQuiet }

    /// Whether a click of now is meant for the buttons' present meaning; one that comes of no press is, such
    /// as a screen reader's.
    func isMeant(_ present: Int, _ now: Milliseconds) -> Bool {
        if let end, now > end { return true }
        return meaning == present
    }
}
