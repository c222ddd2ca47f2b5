import Units

/// The last key that was pressed on a cover, whether a widget got it or not.
struct LastKey {
    /// When it was read, on the loop's clock.
    let read: Milliseconds
    /// When it was pressed, by the clock of the server, which begins again every 49.7 days.
    let pressed: UInt32

    /// Whether it was read just now: the next one is pressed by somebody who looks at the cover.
    func isRecent(_ now: Milliseconds) -> Bool { now - read < CoverLimits.keyQuiet }

    /// Whether keys followed each other when something happened.
    /// - Parameter time: of the server, by the last event that was told. One before the key does not say when
    ///   it happened: then it is now.
    func isTyping(at time: UInt32, _ now: Milliseconds) -> Bool {
        let pause = Milliseconds(Int64(Int32(bitPattern: time &- pressed)))
        return (pause < 0 ? now - read : pause) < CoverLimits.typing
    }
}
