package import JSON

/// What became of the person's wish to close a shielded app that has not closed.
package enum CoverClosing: String, NameEnum {
    /// It runs, and stands still again. The next close ends it without saving.
    case stayed
    /// It shares a process with another app, so that it is never ended.
    case shared
    /// It runs, and asks something in a window of its own, which is not covered.
    case asking
}

/// A cover over one window of a shielded app.
@Record
package struct CoveredWindow: Record, Equatable {
    /// The window's X11 id.
    @Field(in: 1...4_294_967_295) package var window: Int64 = 1
    /// Id of the app that owns the window.
    package var app: String = ""
    /// Display name of the app.
    package var name: String = ""
    /// Member id.
    package var member: String = ""
    /// What is shielded: an app or domain.
    package var kind: SubjectKind = .app
    /// App id or domain, as in shield.configuration and shield.press.
    package var subject: String = ""
    /// Category whose shield covers it; absent: a store names the subject itself.
    package var category: String?
    /// Id of the app that the window belongs to by its own word; absent: `app`. It is covered because it
    /// shares a process with `app`.
    package var guest: String?
    /// What became of the wish to close the app; absent: nobody wished it, or it is being closed.
    package var closing: CoverClosing?
    /// X11 id of the window in which it asks, the last one if there are several; absent unless `closing` is
    /// `asking`. Whoever uses the cover meanwhile is led there.
    @Field(in: 1...4_294_967_295) package var question: Int64?
}

/// Makes the process ready to show covers within a few milliseconds; answered when it is.
///
/// For a moment at which a shield is expected soon. Without a cover the process ends after 15 seconds.
@Method("cover.prepare", ofAgent: AgentName.shieldCover, .read, for: .person)
package enum CoverPrepare: AgentMethod {
    /// No parameters.
    package typealias Params = Nothing
    /// No members.
    package typealias Result = Nothing
}

/// Covers a window of a shielded app; answered when the first frame of the cover is on the screen.
///
/// Repeating it for a covered window only changes what the cover is about.
@Method("cover.show", ofAgent: AgentName.shieldCover, .read, for: .person)
package enum CoverShow: AgentMethod {
    /// The window.
    @Record("cover.show.params")
    package struct Params: Record {
        /// The window and its shield.
        package var cover: CoveredWindow = CoveredWindow()
        /// Not used any more, but earlier agents send it: the display says which window has the focus.
        package var focus: Bool = false
    }

    /// Whether the cover can be seen.
    @Record("cover.show.result")
    package struct Result: Record {
        /// False: the window is not on the screen now (minimised, on another workspace); its cover appears
        /// together with it.
        package var visible: Bool = false
    }
}

/// Removes the cover of a window. A cover that has the focus returns it to the window.
@Method("cover.hide", ofAgent: AgentName.shieldCover, .read, for: .person)
package enum CoverHide: AgentMethod {
    /// The window.
    @Record("cover.hide.params")
    package struct Params: Record {
        /// The window's X11 id.
        @Field(in: 1...4_294_967_295) package var window: Int64 = 1
    }

    /// Whether there was a cover.
    @Record("cover.hide.result")
    package struct Result: Record {
        /// False: the window had none, or was closed.
        package var wasCovered: Bool = false
    }
}

/// Lists the covers that stand now.
@Method("cover.list", ofAgent: AgentName.shieldCover, .read, for: .person)
package enum CoverList: AgentMethod {
    /// No parameters.
    package typealias Params = Nothing

    /// The covers.
    @Record("cover.list.result")
    package struct Result: Record {
        /// Oldest first.
        package var covers: [CoveredWindow] = []
    }
}

/// A button of a cover was pressed, and whoever manages the app must act now.
@Record
package struct CoverPress: Record, Equatable {
    /// Counts from 1; also in the next process greater than in the one before.
    package var number: Int64 = 0
    /// The covered window and its shield.
    package var cover: CoveredWindow = CoveredWindow()
    /// The button.
    package var button: ShieldButton = .primary
    /// What to do: close or openParentalControlsApp.
    package var response: ShieldResponse = .close
    /// True: shield-service could not be reached, and the primary button closes.
    package var withoutService: Bool = false
    /// W3C trace context of the press; what is done because of it belongs to its trace.
    package var traceparent: String = ""
}

/// Returns the presses that need an action; while there is none, waits until the deadline.
///
/// A press is returned until its number was passed as after, or its cover was removed.
@Method("cover.presses", ofAgent: AgentName.shieldCover, .read, for: .person)
package enum CoverPresses: AgentMethod {
    /// The position of the caller.
    @Record("cover.presses.params")
    package struct Params: Record {
        /// Number of the last press that was handled; 0 if none was.
        package var after: Int64 = 0
    }

    /// The presses after that.
    @Record("cover.presses.result")
    package struct Result: Record {
        /// In order, at least one.
        package var presses: [CoverPress] = []
    }
}
