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
package struct ShieldScreen: Record {
    package var member = ""
    package var kind: SubjectKind = .app
    package var subject = ""
    package var category: String?
    package var name = ""
    package var client = ""
    package var program: String?
    package var look = ShieldLook()
    package var origin: ShieldLookOrigin = .system
    package var explanation: String?

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.")
        try visitor.field("kind", &kind, "App or domain.")
        try visitor.field("subject", &subject, "App id or domain.")
        try visitor.field("category", &category, "What the shield comes from; absent: it is listed itself.")
        try visitor.field("name", &name, "What a person calls the subject.")
        try visitor.field("client", &client, "Bundle id of the app whose store draws the shield.")
        try visitor.field("extension", &program, "Its shield-configuration extension; absent: it has none.")
        try visitor.field("look", &look, "What is absent in it is the system's to choose.")
        try visitor.field("origin", &origin, "Where the look comes from.")
        try visitor.field(
            "explanation", &explanation, "Why it is not the extension's own, in a sentence.")
    }
}

/// How the shield of something looks; asks the app that shields it.
package enum ShieldScreenRead: Method {
    package static let name = "shield.configuration"
    package static let owner = ServiceName.shield
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "How the shield of something looks; asks the app that shields it."

    package struct Params: Record {
        package static var title: String { "shield.configuration.params" }
        package var member: String?
        package var kind: SubjectKind = .app
        package var subject = ""

        package init() {}
        package init(member: String? = nil, kind: SubjectKind, subject: String) {
            self.member = member
            self.kind = kind
            self.subject = subject
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.")
            try visitor.field("kind", &kind, "App or domain.")
            try visitor.field("subject", &subject, "App id or domain.")
        }
    }

    package struct Result: Record {
        package static var title: String { "shield.configuration.result" }
        package var screen = ShieldScreen()
        package var pending: Bool?

        package init() {}
        package init(screen: ShieldScreen, pending: Bool? = nil) {
            self.screen = screen
            self.pending = pending
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("screen", &screen, "As of now.")
            try visitor.field(
                "pending", &pending,
                "True: the extension is still being asked; ask again, or wait for `shield.configured`.")
        }
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
package enum ShieldPress: Method {
    package static let name = "shield.press"
    package static let owner = ServiceName.shield
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary =
        "The person pressed a button of a shield; asks the app that shields what shall happen."

    package struct Params: Record {
        package static var title: String { "shield.press.params" }
        package var member: String?
        package var kind: SubjectKind = .app
        package var subject = ""
        package var button: ShieldButton = .primary

        package init() {}
        package init(member: String? = nil, kind: SubjectKind, subject: String, button: ShieldButton) {
            self.member = member
            self.kind = kind
            self.subject = subject
            self.button = button
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.")
            try visitor.field("kind", &kind, "App or domain.")
            try visitor.field("subject", &subject, "App id or domain.")
            try visitor.field("button", &button, "submenu1 to 3: of the secondary button's menu.")
        }
    }

    package struct Result: Record {
        package static var title: String { "shield.press.result" }
        package var action = ShieldActionTaken()
        package var sequence: Int64 = 0

        package init() {}
        package init(action: ShieldActionTaken, sequence: Int64) {
            self.action = action
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("action", &action, "As it was told.")
            try visitor.field("sequence", &sequence, "Head of the log.")
        }
    }
}

/// A button of a shield was pressed, and this shall happen.
package struct ShieldActionTaken: EventData {
    package static let type = "shield.actionTaken"
    package static let owner = ServiceName.shield
    package static let summary = "A button of a shield was pressed, and this shall happen."
    package var member = ""
    package var kind: SubjectKind = .app
    package var subject = ""
    package var category: String?
    package var client = ""
    package var program: String?
    package var button: ShieldButton = .primary
    package var response: ShieldResponse = .none
    package var explanation: String?

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.")
        try visitor.field("kind", &kind, "App or domain.")
        try visitor.field("subject", &subject, "App id or domain.")
        try visitor.field("category", &category, "What the shield comes from; absent: it is listed itself.")
        try visitor.field("client", &client, "Bundle id of the app whose store draws the shield.")
        try visitor.field("extension", &program, "Its shield-action extension; absent: it has none.")
        try visitor.field("button", &button, "Which was pressed.")
        try visitor.field("response", &response, "What whoever shows the shield does now.")
        try visitor.field(
            "explanation", &explanation, "Why it is not the extension's own answer, in a sentence.")
    }
}

/// A shield looks different from when it was last asked for.
package struct ShieldConfigured: EventData {
    package static let type = "shield.configured"
    package static let owner = ServiceName.shield
    package static let summary = "A shield looks different from when it was last asked for."
    package var screen = ShieldScreen()

    package init() {}
    package init(screen: ShieldScreen) { self.screen = screen }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("screen", &screen, "As of now.")
    }
}
