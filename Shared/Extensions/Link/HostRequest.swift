package import Contract
package import JSON

/// A request of a host to a program.
package protocol HostRequest: Sendable {
    associatedtype Params: Record & Sendable
    associatedtype Result: Record & Sendable
    static var name: String { get }
}

/// One of the six callbacks of Apple's DeviceActivityMonitor.
package enum MonitorCallback: HostRequest {
    package static let name = Wire.callbackMethod
    package typealias Params = CallbackParams
    package typealias Result = Nothing
}

/// An event of the bus that the program subscribed to; answered when its handlers have returned.
package enum PushedEvent: HostRequest {
    package static let name = "event"
    package struct Params: Record {
        package static var title: String { "event.params" }
        package var type = ""
        package var data = RawJSON()

        package init() {}
        package init(type: String, data: RawJSON) {
            self.type = type
            self.data = data
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("type", &type, "Type of the event.")
            try visitor.field(
                "data", &data, "As on the bus; subjects as tokens, where those were asked for.")
        }
    }
    package typealias Result = Nothing
}

/// What a shield stands before, as an extension may see it.
package struct ShieldedSubject: Record, Sendable {
    package var token = ""
    package var name: String?
    package var displayName: String?

    package init() {}
    package init(token: String, name: String? = nil, displayName: String? = nil) {
        self.token = token
        self.name = name
        self.displayName = displayName
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("token", &token, "`token:BASE64`.")
        try visitor.field("name", &name, "Bundle id, category id or domain; only for configurations.")
        try visitor.field("display_name", &displayName, "As a person reads it; only for configurations.")
    }
}

/// How a shield shall look. Exactly one of `application` and `web_domain` is there; `category` besides, when
/// the shield stands because of it.
package enum ShieldConfigure: HostRequest {
    package static let name = "shield.configure"
    package struct Params: Record, Sendable {
        package static var title: String { "shield.configure.params" }
        package var application: ShieldedSubject?
        package var webDomain: ShieldedSubject?
        package var category: ShieldedSubject?

        package init() {}
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("application", &application, "The shielded app.")
            try visitor.field("web_domain", &webDomain, "The shielded domain.")
            try visitor.field("category", &category, "The category that the shield comes from.")
        }
    }
    package typealias Result = ShieldLook
}

/// A button of a shield was pressed.
package enum ShieldAct: HostRequest {
    package static let name = "shield.act"

    /// Apple's three overloads of `handle(action:for:completionHandler:)`.
    package enum Kind: String, NameEnum { case application, webDomain, category }

    package struct Params: Record, Sendable {
        package static var title: String { "shield.act.params" }
        package var kind: Kind = .application
        package var token = ""
        package var action = ""

        package init() {}
        package init(kind: Kind, token: String, action: String) {
            self.kind = kind
            self.token = token
            self.action = action
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("kind", &kind, "What the shield comes from.")
            try visitor.field("token", &token, "Of that; `token:BASE64`.")
            try visitor.field("action", &action, "Name of Apple's ShieldAction.")
        }
    }

    package struct Result: Record, Sendable {
        package static var title: String { "shield.act.result" }
        package var response = ""

        package init() {}
        package init(response: String) { self.response = response }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("response", &response, "Name of Apple's ShieldActionResponse.")
        }
    }
}

/// A report shall be drawn.
package enum ReportMake: HostRequest {
    package static let name = "report.make"

    package struct Params: Record, Sendable {
        package static var title: String { "report.make.params" }
        package var context = ""
        package var filter = RawJSON()
        package var data: [RawJSON] = []

        package init() {}
        package init(context: String, filter: RawJSON, data: [RawJSON]) {
            self.context = context
            self.filter = filter
            self.data = data
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("context", &context, "Which of the extension's reports.")
            try visitor.field("filter", &filter, "The contract's ReportFilter as it was asked for.")
            try visitor.field(
                "data", &data, "As `report.query` answers in format `activity`, a member and device each.")
        }
    }

    package struct Result: Record, Sendable {
        package static var title: String { "report.make.result" }
        package var html = ""
        package var text = ""

        package init() {}
        package init(html: String, text: String) {
            self.html = html
            self.text = text
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("html", &html, "A fragment.")
            try visitor.field("text", &text, "The same for who cannot see it.")
        }
    }
}
