package import JSON

/// Warns that an app will be shielded soon, or changes a warning that stands.
///
/// A banner stays for 10 seconds, then a chip with the time left. At 0 it vanishes. A warning that the person
/// dismissed does not come back under the same key.
@Method("warning.show", ofAgent: AgentName.shieldCover, .read, for: .person)
package enum WarningShow: AgentMethod {
    /// What is warned of.
    @Record("warning.show.params")
    package struct Params: Record {
        /// Identifies the warning: 1 to 256 bytes.
        package var key: String = ""
        /// The app whose time is almost up, one line; empty: words of the system.
        package var title: String = ""
        /// Words of whoever set the limit.
        package var body: String?
        /// Seconds until then, 0 to 86400; 0 ends the warning.
        @Field(in: 0...86_400) package var secondsLeft: Int64 = 0
        /// Whether the time runs; false: it stands still until the next change.
        package var counting: Bool = true
        /// X11 id of the window in use: the warning is on its monitor; default the pointer's.
        @Field(in: 1...4_294_967_295) package var focusWindow: Int64?
        /// What announced it. It is kept, for an agent that starts later.
        package var about: ActivityCallback?
    }

    /// Whether it can be seen.
    @Record("warning.show.result")
    package struct Result: Record {
        /// False: the person dismissed it, or no time is left.
        package var shown: Bool = false
    }
}

/// The warnings that stand.
///
/// The answer waits until their list differs from the one with the number `after`.
@Method("warning.list", ofAgent: AgentName.shieldCover, .read, for: .person)
package enum WarningList: AgentMethod {
    /// What the caller knows.
    @Record("warning.list.params")
    package struct Params: Record {
        /// Number of the list that is known; 0 for none, which is answered at once.
        package var after: Int64 = 0
    }

    /// The present list.
    @Record("warning.list.result")
    package struct Result: Record {
        /// In the order in which they came.
        package var warnings: [StandingWarning] = []
        /// Number of this list, greater than that of the one before.
        package var number: Int64 = 0
    }
}

/// A warning whose time is not over.
@Record
package struct StandingWarning: Record {
    /// As it was shown last, with the seconds that are left now.
    package var warning: WarningShow.Params = WarningShow.Params()
    /// Whether the person dismissed it: it is not seen.
    package var dismissed: Bool = false
}

/// Removes a warning.
@Method("warning.hide", ofAgent: AgentName.shieldCover, .read, for: .person)
package enum WarningHide: AgentMethod {
    /// The warning.
    @Record("warning.hide.params")
    package struct Params: Record {
        /// As in warning.show.
        package var key: String = ""
    }

    /// Whether there was one.
    @Record("warning.hide.result")
    package struct Result: Record {
        /// False: there was none, or it was dismissed.
        package var wasShown: Bool = false
    }
}

/// Whether the person sees the warning of a limit as a banner of the agent, so that a notification with the
/// same words would be a second one.
///
/// The answer comes as soon as that is known, after 5 seconds at most. A warning that the person dismissed
/// was seen.
@Method("banner.isShown", ofAgent: AgentName.desktopAgent, .read, for: .person)
package enum BannerIsShown: AgentMethod {
    /// The warning.
    @Record("banner.isShown.params")
    package struct Params: Record {
        /// As in warning.show.
        package var key: String = ""
    }

    /// What the agent knows.
    @Record("banner.isShown.result")
    package struct Result: Record {
        /// Whether it is on the screen, or was.
        package var shown: Bool = false
    }
}

extension ActivityCallback {
    /// Identifies the warning of a limit: the same for all callbacks of one event in one occurrence, at most
    /// 80 characters.
    package var warningKey: String {
        let words = [String(registration), String(occurrenceStart.milliseconds), activity, event ?? ""]
        return String(words.joined(separator: "/").prefix(80))
    }
}
