internal import AppSupport
internal import CommandKit
package import DeviceActivity
internal import Foundation

/// A drawing request: a context of the report extension, and a filter of the use.
package struct ChartRequest {
    package static let client = "org.screentime.charts"

    /// The context picker.
    package enum Kind: String, CaseIterable, Sendable {
        case pie = "pieChart"
        case bar = "barChart"
    }

    package var kind: Kind
    package var filter: DeviceActivityFilter
    /// Names of models, as given.
    package var devices: [String]?

    /// - Parameters:
    ///   - weeksBack: 0 for the present week.
    ///   - users: `all` or `children`; nil for the person.
    ///   - devices: models: mac, iPhone, iPad, iPod; nil for this one.
    package init(
        _ kind: Kind, weeksBack: Int, users: String?, devices: [String]?, now: Date, calendar: Calendar
    ) throws {
        self.kind = kind
        self.devices = devices
        guard (0...520).contains(weeksBack),
            let day = calendar.date(byAdding: .weekOfYear, value: -weeksBack, to: now),
            let week = calendar.dateInterval(of: .weekOfYear, for: day)
        else {
            throw CommandError(
                "there is no week \(weeksBack) weeks ago", remedy: "Give 0 to 520 weeks.",
                code: CommandError.usage)
        }
        let segment = DeviceActivityFilter.SegmentInterval.daily(during: week)
        let models = try devices.map { DeviceActivityFilter.Devices(Set(try $0.map(Self.model))) }
        switch users {
        case nil: filter = DeviceActivityFilter(segment: segment, devices: models)
        case "all":
            filter = DeviceActivityFilter(segment: segment, users: .all, devices: models ?? .all)
        case "children":
            filter = DeviceActivityFilter(segment: segment, users: .children, devices: models ?? .all)
        case let other?:
            throw CommandError(
                "there are no users '\(other)'", remedy: "Use all or children.", code: CommandError.usage)
        }
    }

    private static func model(_ name: String) throws -> DeviceActivityData.Device.Model {
        let models: [String: DeviceActivityData.Device.Model] = [
            "mac": .mac, "iPhone": .iPhone, "iPad": .iPad, "iPod": .iPod,
        ]
        guard let model = models[name] else {
            throw CommandError(
                "there is no device model '\(name)'",
                remedy: "Use mac (also any Linux machine), iPhone, iPad or iPod.", code: CommandError.usage)
        }
        return model
    }
}
