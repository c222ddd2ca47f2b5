package import JSON

/// Where the look of a shield comes from.
package enum ShieldLookOrigin: String, NameEnum {
    /// The extension of the app that draws the shield said so.
    case program = "extension"
    /// It said so earlier; now it does not answer.
    case earlier
    /// Nobody said anything that can be used: the system's own words.
    case system
}

/// What stands before something that is shielded.
@Record
package struct ShieldScreen: Record {
    /// Member id.
    package var member: String = ""
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or domain.
    package var subject: String = ""
    /// What the shield comes from; absent: it is listed itself.
    package var category: String?
    /// What a person calls the subject.
    package var name: String = ""
    /// Bundle id of the app whose store draws the shield.
    package var client: String = ""
    /// Its shield-configuration extension; absent: it has none.
    @Field(name: "extension") package var program: String?
    /// What is absent in it is the system's to choose.
    package var look: ShieldLook = ShieldLook()
    /// Where the look comes from.
    package var origin: ShieldLookOrigin = .system
    /// Why it is not the extension's own, in a sentence.
    package var explanation: String?
}

/// How the shield of something looks; asks the app that shields it.
@Method("shield.configuration", of: .shield, .read, for: .person)
package enum ShieldScreenRead: Method {
    @Record("shield.configuration.params")
    package struct Params: Record {
        /// Member id; default the person of the uid.
        package var member: String?
        /// App or domain.
        package var kind: SubjectKind = .app
        /// App id or domain.
        package var subject: String = ""
    }

    @Record("shield.configuration.result")
    package struct Result: Record {
        /// As of now.
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

/// What shall happen after a button: Apple's ShieldActionResponse.
package enum ShieldResponse: String, NameEnum {
    case none
    case close
    case `defer`
    case openParentalControlsApp
}

/// The person pressed a button of a shield; asks the app that shields what shall happen.
@Method("shield.press", of: .shield, .write, for: .person)
package enum ShieldPress: Method {
    @Record("shield.press.params")
    package struct Params: Record {
        /// Member id; default the person of the uid.
        package var member: String?
        /// App or domain.
        package var kind: SubjectKind = .app
        /// App id or domain.
        package var subject: String = ""
        /// submenu1 to 3: of the secondary button's menu.
        package var button: ShieldButton = .primary
    }

    @Record("shield.press.result")
    package struct Result: Record {
        /// As it was told.
        package var action: ShieldActionTaken = ShieldActionTaken()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// A button of a shield was pressed, and this shall happen.
@Event("shield.actionTaken", of: .shield)
package struct ShieldActionTaken: EventData {
    /// Member id.
    package var member: String = ""
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or domain.
    package var subject: String = ""
    /// What the shield comes from; absent: it is listed itself.
    package var category: String?
    /// Bundle id of the app whose store draws the shield.
    package var client: String = ""
    /// Its shield-action extension; absent: it has none.
    @Field(name: "extension") package var program: String?
    /// Which was pressed.
    package var button: ShieldButton = .primary
    /// What whoever shows the shield does now.
    package var response: ShieldResponse = .none
    /// Why it is not the extension's own answer, in a sentence.
    package var explanation: String?
}

/// A shield looks different from when it was last asked for.
@Event("shield.configured", of: .shield)
package struct ShieldConfigured: EventData {
    /// As of now.
    package var screen: ShieldScreen = ShieldScreen()
}
