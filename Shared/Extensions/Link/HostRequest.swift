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
    @Record("event.params")
    package struct Params: Record {
        /// Type of the event.
        package var type: String = ""
        /// As on the bus; subjects as tokens, where those were asked for.
        package var data: RawJSON = RawJSON()
    }
    package typealias Result = Nothing
}

/// What a shield stands before, as an extension may see it.
@Record
package struct ShieldedSubject: Record, Sendable {
    /// `token:BASE64`.
    package var token: String = ""
    /// Bundle id, category id or domain; only for configurations.
    package var name: String?
    /// As a person reads it; only for configurations.
    package var displayName: String?
}

/// How a shield shall look. Exactly one of `application` and `web_domain` is there; `category` besides, when
/// the shield stands because of it.
package enum ShieldConfigure: HostRequest {
    package static let name = "shield.configure"
    @Record("shield.configure.params")
    package struct Params: Record, Sendable {
        /// The shielded app.
        package var application: ShieldedSubject?
        /// The shielded domain.
        package var webDomain: ShieldedSubject?
        /// The category that the shield comes from.
        package var category: ShieldedSubject?
    }
    package typealias Result = ShieldLook
}

/// A button of a shield was pressed.
package enum ShieldAct: HostRequest {
    package static let name = "shield.act"

    /// Apple's three overloads of `handle(action:for:completionHandler:)`.
    package enum Kind: String, NameEnum { case application, webDomain, category }

    @Record("shield.act.params")
    package struct Params: Record, Sendable {
        /// What the shield comes from.
        package var kind: Kind = .application
        /// Of that; `token:BASE64`.
        package var token: String = ""
        /// Name of Apple's ShieldAction.
        package var action: String = ""
    }

    @Record("shield.act.result")
    package struct Result: Record, Sendable {
        /// Name of Apple's ShieldActionResponse.
        package var response: String = ""
    }
}

/// A report shall be drawn.
package enum ReportMake: HostRequest {
    package static let name = "report.make"

    @Record("report.make.params")
    package struct Params: Record, Sendable {
        /// Which of the extension's reports.
        package var context: String = ""
        /// The contract's ReportFilter as it was asked for.
        package var filter: RawJSON = RawJSON()
        /// As `report.query` answers in format `activity`, a member and device each.
        package var data: [RawJSON] = []
    }

    @Record("report.make.result")
    package struct Result: Record, Sendable {
        /// A fragment.
        package var html: String = ""
        /// The same for who cannot see it.
        package var text: String = ""
    }
}
