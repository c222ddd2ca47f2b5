import Units

/// Limits of the process. Exceeding one is logged or refused by name.
enum CoverLimits {
    /// Covers at a time.
    static let coversMax = 256
    /// Of one app, so that others get some.
    static let coversPerAppMax = 192
    /// How long the process stays without a cover.
    static let idle: Milliseconds = 15_000
    /// Between the manager's giving the focus on and the end of a dialog that had it.
    static let dialogEnd: Milliseconds = 250
    /// How long the first frame of a cover may take.
    static let frame: Milliseconds = 3_000
    /// Deadline of the request for a look. shield-service answers within a second, whatever the extension
    /// does.
    static let look: Milliseconds = 5_000
    /// Pause after shield-service refused a request.
    static let pause: Milliseconds = 2_000
    /// Deadline of a press. The action extension has 10 s.
    static let press: Milliseconds = 12_000
    /// How long buttons stay disabled after a press that closes the app; then it can be pressed again.
    static let acting: Milliseconds = 5_000
    /// How long a window is minimised before its cover is, where the manager does not minimise both.
    static let minimised: Milliseconds = 250
    /// How long no key, and no click, may come after a cover appeared before it takes one.
    static let keyQuiet: Milliseconds = 1_000, pointerQuiet: Milliseconds = 500
    /// Somebody types whose last key was not longer ago.
    static let typing: Milliseconds = 500
    /// How often a pointer's button that was held when the cover appeared is looked at.
    static let heldPause: Milliseconds = 100
    /// Presses that wait for the agent.
    static let pressesMax = 100
    /// Bytes of the title and of each button's text.
    static let titleBytesMax = 240, buttonBytesMax = 120
    /// Marks on a character, and Unicode scalars of one. The most of scripts in use are 4, and 10 of emoji.
    static let marksMax = 6, scalarsMax = 16
    /// Bytes of a decider's words.
    static let answerBytesMax = 600
    /// The newest requests for more time of a member that are read. At most 20 are pending.
    static let requestsRead: Int64 = 200
    /// Deadline of a request for more time.
    static let ask: Milliseconds = 8_000
    /// How long a cover waits for a change of what it says before it looks at the clock again.
    static let askSleepMax: Milliseconds = 3_600_000
    /// Bytes of the text below the title.
    static let subtitleBytesMax = 1_200
    /// Pixels of a border or a shadow of a window, at each side.
    static let borderMax = 256
    /// Pixels of a side of an icon, and of its area. An icon is drawn with less than 300.
    static let iconSideMax = 4_096, iconAreaMax = 4 << 20
    /// Pixels of a side in which a picture is decoded.
    static let drawingSide = 256
    /// Of a processor, for decoding a picture; and how long that may take on a busy machine.
    static let pictureTime: Milliseconds = 500, pictureWait: Milliseconds = 10_000
    /// Bytes of memory for it.
    static let pictureMemoryMax = 256 << 20
    /// Warnings at a time, also those that were dismissed.
    static let warningsMax = 16
    /// How long a warning is a banner.
    static let banner: Milliseconds = 10_000
    /// Bytes of a warning's words.
    static let warningBytesMax = 400
    /// Width of a banner, and its distance to the edges of the screen, in units of GTK.
    static let bannerWidth = 372, warningMargin = 12
    /// Size of the smallest cover with all its buttons within reach.
    static let smallest = (width: 120, height: 80)
    /// How often the focus is taken, or the place corrected, in a row, if the window manager decides
    /// otherwise.
    static let attemptsMax = 8
    /// The same for the order of windows. Some managers know only the top and the bottom, so that asking
    /// again would not help.
    static let restacksMax = 1
    /// How often what a covered app writes about its protocols is looked at.
    static let protocolChangesMax = 20
    /// How long after a cover is shown, and how often, the order of windows is put back that the window
    /// manager changes because of it.
    static let settling: Milliseconds = 500, restoredMax = 3
    /// How often a cover that another program destroyed is replaced at once; then after a pause each time.
    static let replacedAtOnceMax = 8
    static let replacePause: Milliseconds = 1_000
    /// After so long without one, replacements are counted from none again.
    static let replacedForget: Milliseconds = 30_000
}
