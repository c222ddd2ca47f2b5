package import JSON

// What a host asks an extension program for, besides the callbacks of monitors. These travel on the program's
// own socket, never on the bus.

/// A button of a shield was pressed: `shield.act`.
package struct ShieldAct: Record {
    package static let method = "shield.act"
    package var action = ""
    package var kind: SubjectKind = .app
    package var token = ""

    package init() {}
    package init(
        action: String = "", kind: SubjectKind = .app, token: String = ""
    ) {
        self.action = action
        self.kind = kind
        self.token = token
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "action", &action, "Name of a case of Apple's ShieldAction, such as primaryButtonPressed.")
        try visitor.field(
            "kind", &kind, "What the shield is about; a category (of either kind) when that is its cause.")
        try visitor.field("token", &token, "The client's token:BASE64 of it.")
    }
}

/// The answer to `shield.act`.
package struct ShieldActed: Record {
    package var response = ""

    package init() {}
    package init(
        response: String = ""
    ) {
        self.response = response
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "response", &response,
            "Name of a case of Apple's ShieldActionResponse: none, close, defer or openParentalControlsApp.")
    }
}

/// A report is to be drawn: `report.make`.
package struct ReportMake: Record {
    package static let method = "report.make"
    package var context = ""
    package var filter: ReportQuery.Params?
    package var data: [ReportActivity] = []

    package init() {}
    package init(
        context: String = "", filter: ReportQuery.Params? = nil, data: [ReportActivity] = []
    ) {
        self.context = context
        self.filter = filter
        self.data = data
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("context", &context, "Which of the extension's reports.")
        try visitor.field("filter", &filter, "What was asked for.")
        try visitor.field("data", &data, "With names and the client's tokens, where there are any.")
    }
}

/// The answer to `report.make`.
package struct ReportMade: Record {
    package var html = ""
    package var text = ""

    package init() {}
    package init(
        html: String = "", text: String = ""
    ) {
        self.html = html
        self.text = text
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("html", &html, "A whole page without scripts and outside resources.")
        try visitor.field("text", &text, "The same in plain words.")
    }
}
