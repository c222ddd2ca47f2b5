import Contract
import Foundation
import Loop
import Store
import Testing
import Units

@testable import ActivityCore
@testable import AuthCore
@testable import MonitorCore
@testable import NotifierCore
@testable import ReportCore
@testable import ServiceKit
@testable import ShieldCore

/// A request as text.
struct Call: Sendable, CustomStringConvertible {
    let method: String
    let params: String
    let client: String?
    var description: String { "\(method) \(params)\(client.map { " of \($0)" } ?? "")" }

    init(_ method: String, _ params: String = "{}", of client: String? = nil) {
        self.method = method
        self.params = params
        self.client = client
    }
}

/// What can be written to one service, in an order in which all of it succeeds, and what can be read of it.
struct WriteCase: Sendable, CustomTestStringConvertible {
    let name: ServiceName
    let writes: [Call]
    let reads: [Call]
    /// The service, and the core that lives as long.
    let start: @LoopActor @Sendable (Configuration) throws -> (Service, AnyObject)

    var testDescription: String { name.rawValue }

    private static let app = "org.example.app"
    static let now = Instant(.seconds(Int64(Date().timeIntervalSince1970)))

    static let all = [auth, activity, shield, notifier, report, monitor]

    static let auth = WriteCase(
        name: .auth,
        writes: [
            Call("member.add", #"{"name":"Kim"}"#),
            Call("member.set", #"{"name":"Kim","zone":"Asia/Tokyo"}"#),
            Call("authorization.switch", #"{"client":"org.example.app","access":true}"#),
            Call(
                "selection.set",
                #"{"name":"s","applications":["firefox"],"categories":[],"web_domains":[]}"#, of: app),
            Call("authorization.switch", #"{"client":"org.example.app","restrictions":false}"#),
            Call("selection.remove", #"{"name":"s"}"#, of: app),
            Call("authorization.revoke", #"{"client":"org.example.app"}"#),
            Call("member.set", #"{"name":"Kim","self_approval_minutes":1,"one_more_minute":true}"#),
            Call("request.create", #"{"member":"member-Kim","kind":"app","subject":"firefox","minutes":5}"#),
            Call("request.create", #"{"kind":"app","subject":"firefox","one_more_minute":true}"#),
            Call("request.create", #"{"kind":"app","subject":"firefox","minutes":5}"#),
            Call("request.decide", #"{"id":"more22","decision":"approve","minutes":5}"#),
            Call("request.withdraw", #"{"id":"more33"}"#),
            Call("member.remove", #"{"name":"Kim"}"#),
            Call("privacy.forget", #"{"everything":true}"#),
        ],
        reads: [
            Call("member.list"), Call("authorization.list"), Call("selection.list"), Call("request.list"),
            Call("events.snapshot"), Call("member.list", of: app), Call("authorization.list", of: app),
            Call("selection.list", of: app),
            Call("token.resolve", #"{"tokens":[],"member":"member-Kim"}"#),
        ]
    ) { configuration in
        let core = try AuthService(configuration)
        // Nobody judges the clock here.
        core.time.boot = { nil }
        try core.start()
        try core.service.transact(trace: nil) { transaction in
            guard try core.authorizations.all().isEmpty else { return }
            let denied = Authorization(
                id: "abcdef", client: app, member: Household.defaultMember, status: .denied, requested: 1)
            try core.publish(denied, revoked: false, transaction)
            for id in ["more22", "more33"] {
                let asked = TimeRequest(
                    id: id, member: Household.defaultMember, subject: id, asked: now, dayEnd: now + .day)
                try core.requests.insert(asked, trace: "")
                _ = try core.requestQuestions.ask(id)
            }
        }
        return (core.service, core)
    }

    private static let day =
        #""schedule":{"intervalStart":{"hour":0},"intervalEnd":{"hour":0},"repeats":true}"#
    private static let event = #"{"name":"e","applications":["firefox"],"threshold":{"hour":20}}"#

    static let activity = WriteCase(
        name: .activity,
        writes: [
            Call(
                "catalog.observe",
                #"{"device":"d","apps":[{"app":"firefox","name":"Fox","categories":["Network"]}]}"#),
            Call("usage.observe", observe([(-600, "focus", "firefox"), (-500, "focus", "mail")])),
            Call("monitoring.start", #"{"activities":[{"name":"one",\#(day),"events":[\#(event)]}]}"#),
            Call("catalog.set", #"{"about":{"app":"firefox"},"category":"games"}"#),
            Call(
                "catalog.import",
                #"{"list":"l","attempt":"1","part":0,"last":true,"#
                    + #""groups":[{"category":"games","domains":["example.org"]}]}"#),
            Call("usage.observe", observe([(-400, "focus", "firefox"), (-300, "idle", nil)])),
            Call("monitoring.start", #"{"activities":[{"name":"two",\#(day)}]}"#),
            Call("monitoring.stop", #"{"names":["one"]}"#),
            Call("catalog.set", #"{"about":{"app":"firefox"}}"#),
            Call("catalog.remove", #"{"list":"l"}"#),
            Call("privacy.forget", #"{"kind":"app","subject":"firefox"}"#),
            Call("privacy.forget", #"{"everything":true}"#),
        ],
        reads: [
            Call("monitoring.list"), Call("monitoring.pending"), Call("catalog.list"), Call("catalog.lists"),
            Call("catalog.resolve", #"{"app":"firefox"}"#),
            Call("catalog.resolve", #"{"host":"www.example.org"}"#),
            Call("usage.read", #"{"from_ms":\#(now - 3_600_000),"to_ms":\#(now - 200_000)}"#),
            Call("usage.export"), Call("events.snapshot"),
        ]
    ) { configuration in
        let core = try ActivityCenter(configuration)
        try core.start()
        return (core.service, core)
    }

    private static func observe(_ observations: [(seconds: Int64, kind: String, app: String?)]) -> String {
        let all = observations.map { one in
            let app = one.app.map { #","app":"\#($0)""# } ?? ""
            return #"{"at_ms":\#(now + .seconds(one.seconds)),"kind":"\#(one.kind)"\#(app)}"#
        }
        return #"{"device":"d","observations":[\#(all.joined(separator: ","))]}"#
    }

    private static func shields(_ store: String, _ app: String) -> String {
        #"{"store":"\#(store)","settings":[{"key":"shield.applications","value":["\#(app)"]}]}"#
    }

    static let shield = WriteCase(
        name: .shield,
        writes: [
            Call("settings.write", shields("a", "firefox")), Call("settings.write", shields("b", "mail")),
            Call("shield.freeze", #"{"agent":"d","app":"firefox","processes":[{"pid":77,"start_time":1}]}"#),
            Call("settings.write", #"{"store":"a","settings":[],"active":false}"#),
            Call("settings.delete", #"{"stores":["b"]}"#),
            Call("shield.freeze", #"{"agent":"d","app":"firefox","processes":[]}"#),
            Call("settings.write", #"{"store":"a","settings":[],"active":true}"#),
            Call("privacy.forget", #"{"everything":true}"#),
        ],
        reads: [
            Call("settings.list"), Call("settings.effective"), Call("shield.list"), Call("shield.frozen"),
            Call("shield.explain", #"{"subject":"firefox"}"#), Call("events.snapshot"),
        ]
    ) { configuration in
        let core = try ShieldService(configuration)
        try core.start()
        return (core.service, core)
    }

    static let notifier = WriteCase(
        name: .notifier,
        writes: [
            Call("notification.post", #"{"identifier":"n","title":"N","actions":[{"key":"k","label":"K"}]}"#),
            Call("notification.post", #"{"identifier":"later","title":"L","trigger":{"after_ms":86400000}}"#),
            Call("notification.setBadge", #"{"count":3}"#),
            Call("notification.setCategories", #"{"categories":[{"identifier":"c","actions":[]}]}"#),
            Call("notification.answer", #"{"identifier":"n","action":"k"}"#),
            Call("notification.withdraw", #"{"identifier":"later"}"#),
            Call("notification.clear", #"{"pending":true,"delivered":true}"#),
            Call("privacy.forget", #"{"everything":true}"#),
        ],
        reads: [Call("notification.list"), Call("notification.categories"), Call("events.snapshot")]
    ) { configuration in
        let core = try NotifierService(configuration)
        try core.start()
        return (core.service, core)
    }

    static let report = WriteCase(
        name: .report,
        writes: [
            Call("privacy.forget", #"{"kind":"app","subject":"firefox"}"#),
            Call("privacy.forget", #"{"everything":true}"#),
        ],
        reads: [Call("report.query", #"{"during":{"start_ms":0,"end_ms":86400000}}"#)]
    ) { configuration in
        let core = try ReportService(configuration)
        try core.start()
        return (core.service, core)
    }

    static let monitor = WriteCase(
        name: .monitor,
        writes: [
            Call("extension.remove", #"{"id":"org.example.app.monitor"}"#),
            Call("extension.remove", #"{"id":"org.example.app.shield"}"#),
            Call("privacy.forget", #"{"everything":true}"#),
        ],
        reads: [Call("extension.list"), Call("delivery.list")]
    ) { configuration in
        let core = try MonitorService(configuration)
        try core.start()
        return (core.service, core)
    }

    /// What others would have made.
    @LoopActor static func seed(_ core: AnyObject) throws {
        switch core {
        case let core as MonitorService:
            for point in [ExtensionPoint.monitor, .shieldConfiguration] {
                let end = point == .monitor ? "monitor" : "shield"
                let record = ExtensionRecord(
                    id: "\(app).\(end)", client: app, point: point, path: "/nowhere", executable: "/nowhere")
                try core.service.transact(trace: nil) { transaction in
                    try transaction.database.run(
                        "INSERT INTO extension (id, body) VALUES (?1, ?2)", record.id, record.encoded())
                    core.place(record, transaction)
                }
            }
        default: break
        }
    }
}
