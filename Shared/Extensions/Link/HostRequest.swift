package import Contract
package import JSON

/// A request from a host to a program.
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

/// An event of the bus that the program subscribed to; answered after its handlers have returned.
package enum PushedEvent: HostRequest {
    package static let name = "event"
    /// One event.
    @Record("event.params")
    package struct Params: Record {
        /// Type of the event.
        package var type: String = ""
        /// Data as on the bus; subjects are tokens unless the program speaks in names.
        package var data: RawJSON = RawJSON()
    }
    package typealias Result = Nothing
}

/// A shielded subject, as an extension may see it.
@Record
package struct ShieldedSubject: Record, Sendable {
    /// `token:BASE64`.
    package var token: String = ""
    /// Bundle id, category id or domain; only set for configurations.
    package var name: String?
    /// Display name; only set for configurations.
    package var displayName: String?
}

/// Asks for the look of a shield. Exactly one of `application` and `web_domain` is set, and `category` if its
/// shield covers the subject.
package enum ShieldConfigure: HostRequest {
    package static let name = "shield.configure"
    /// The shielded subject.
    @Record("shield.configure.params")
    package struct Params: Record, Sendable {
        /// The shielded app.
        package var application: ShieldedSubject?
        /// The shielded domain.
        package var webDomain: ShieldedSubject?
        /// The category whose shield covers the subject.
        package var category: ShieldedSubject?
    }
    package typealias Result = ShieldLook
}

/// Reports that a button of a shield was pressed.
package enum ShieldAct: HostRequest {
    package static let name = "shield.act"

    /// Apple's three overloads of `handle(action:for:completionHandler:)`.
    package enum Kind: String, NameEnum { case application, webDomain, category }

    /// The button and the shielded subject.
    @Record("shield.act.params")
    package struct Params: Record, Sendable {
        /// Kind of the shielded subject.
        package var kind: Kind = .application
        /// Its token, `token:BASE64`.
        package var token: String = ""
        /// Name of Apple's ShieldAction.
        package var action: String = ""
    }

    /// What happens next.
    @Record("shield.act.result")
    package struct Result: Record, Sendable {
        /// Name of Apple's ShieldActionResponse.
        package var response: String = ""
    }
}

/// Sends a part of the data of a report that does not fit into one message, before ``ReportMake``.
package enum ReportData: HostRequest {
    package static let name = "report.data"

    /// The part.
    @Record("report.data.params")
    package struct Params: Record, Sendable {
        /// Name of the report, unique for the process that gets it.
        package var report: String = ""
        /// Activities with some of their segments. The segments of one member and device are in order.
        package var data: [RawJSON] = []
    }
    package typealias Result = Nothing
}

/// Asks for rendering a report.
package enum ReportMake: HostRequest {
    package static let name = "report.make"

    /// The report and its data.
    @Record("report.make.params")
    package struct Params: Record, Sendable {
        /// Apple's DeviceActivityReport.Context: which of the extension's reports.
        package var context: String = ""
        /// The filter of the request, as in the contract.
        package var filter: RawJSON = RawJSON()
        /// The activities of `report.query` in shape `activity`, one for each member and device; the last of
        /// them if there are earlier parts.
        package var data: [RawJSON] = []
        /// Name of earlier parts, see ``ReportData``; absent: there are none.
        package var report: String?
        /// Number of these parts.
        package var parts: Int64?
    }

    /// The rendered report.
    @Record("report.make.result")
    package struct Result: Record, Sendable {
        /// An HTML fragment.
        package var html: String = ""
        /// The report as plain text.
        package var text: String = ""
    }
}
