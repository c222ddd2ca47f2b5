package import JSON

/// Source of a shield's look.
package enum ShieldLookOrigin: String, NameEnum {
    /// The answer of the extension of the app that configures the shield.
    case program = "extension"
    /// An earlier answer of the extension, which does not answer now.
    case earlier
    /// No usable answer: the system's default look.
    case system
}

/// What the person's own limits say, by which something is shielded.
package enum ShieldedBy: String, NameEnum {
    /// The time of a limit is used up.
    case limit
    /// It is outside the hours.
    case hours
}

/// The limits app names its activities, and the stores of its shields, after the rule: a word of this type,
/// then the rest. These names are stored.
extension ShieldedBy {
    /// The name of a store or an activity of this rule.
    package func storeName(_ rest: String) -> String { "\(rawValue) \(rest)" }

    /// - Parameter name: of a store of the person's limits; nil for one of another form.
    package init?(ofStore name: String) {
        guard let end = name.firstIndex(of: " ") else { return nil }
        self.init(rawValue: String(name[..<end]))
    }
}

/// The screen that covers a shielded subject.
@Record
package struct ShieldScreen: Record {
    /// Member id.
    package var member: String = ""
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or domain.
    package var subject: String = ""
    /// Category whose shield covers it; absent: a store names the subject itself.
    package var category: String?
    /// Display name of the subject.
    package var name: String = ""
    /// Bundle id of the app whose store configures the shield.
    package var client: String = ""
    /// Bundle id of its shield-configuration extension; absent: it has none.
    @Field(name: "extension") package var program: String?
    /// The look; the system chooses what is absent.
    package var look: ShieldLook = ShieldLook()
    /// Source of the look.
    package var origin: ShieldLookOrigin = .system
    /// The kind of rule, if one of the person's own limits shields it; for a look in their language.
    package var shieldedBy: ShieldedBy?
    /// Why the look is not the extension's present answer, in a sentence.
    package var explanation: String?
}

/// Reads the look of the shield of an app or domain; asks the extension of the app that shields it.
@Method("shield.configuration", of: .shield, .read, for: .person)
package enum ShieldScreenRead: Method {
    /// The shielded app or domain.
    @Record("shield.configuration.params")
    package struct Params: Record {
        /// Member id; default the person of the uid.
        package var member: String?
        /// App or domain.
        package var kind: SubjectKind = .app
        /// App id or domain.
        package var subject: String = ""
    }

    /// The screen.
    @Record("shield.configuration.result")
    package struct Result: Record {
        /// The screen; while `pending`, with an earlier look or the system's.
        package var screen: ShieldScreen = ShieldScreen()
        /// True: the extension is still being asked; ask again, or wait for `shield.configured`.
        package var pending: Bool?
    }
}

/// A button of a shield.
package enum ShieldButton: String, NameEnum, CaseIterable {
    case primary
    case secondary
    case submenu1
    case submenu2
    case submenu3
}

/// What happens after a button was pressed: Apple's ShieldActionResponse.
package enum ShieldResponse: String, NameEnum {
    case none
    case close
    case `defer`
    case openParentalControlsApp
}

/// Reports that the person pressed a button of a shield, and asks the app that shields what happens next.
@Method("shield.press", of: .shield, .write, for: .person)
package enum ShieldPress: Method {
    /// The button and the shield it was pressed on.
    @Record("shield.press.params")
    package struct Params: Record {
        /// Member id; default the person of the uid.
        package var member: String?
        /// App or domain.
        package var kind: SubjectKind = .app
        /// App id or domain.
        package var subject: String = ""
        /// The button; submenu1 to submenu3 are items of the secondary button's menu.
        package var button: ShieldButton = .primary
    }

    /// What to do now.
    @Record("shield.press.result")
    package struct Result: Record {
        /// The action, as published in shield.actionTaken.
        package var action: ShieldActionTaken = ShieldActionTaken()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// A button of a shield was pressed; the event contains what happens next.
@Event("shield.actionTaken", of: .shield)
package struct ShieldActionTaken: EventData {
    /// Member id.
    package var member: String = ""
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or domain.
    package var subject: String = ""
    /// Category whose shield covers it; absent: a store names the subject itself.
    package var category: String?
    /// Bundle id of the app whose store configures the shield.
    package var client: String = ""
    /// Bundle id of its shield-action extension; absent: it has none.
    @Field(name: "extension") package var program: String?
    /// The button that was pressed.
    package var button: ShieldButton = .primary
    /// What the program that shows the shield must do now.
    package var response: ShieldResponse = .none
    /// Why the response is not the extension's answer, in a sentence.
    package var explanation: String?
}

/// The look of a shield changed since it was last requested.
@Event("shield.configured", of: .shield)
package struct ShieldConfigured: EventData {
    /// The screen with the new look.
    package var screen: ShieldScreen = ShieldScreen()
}
