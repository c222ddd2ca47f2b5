internal import Contract
internal import Foundation
import Units

// Converts report-service's answer to the values of Apple's API.

extension DeviceActivityData {
    init(_ report: ReportActivity) {
        self.init(
            user: User(report.user),
            device: Device(
                name: report.device.name.isEmpty ? nil : report.device.name,
                model: Device.Model(contract: report.device.model)),
            segmentInterval: DeviceActivityFilter.SegmentInterval(
                report.segmentInterval, during: DateInterval(report.dateInterval)),
            lastUpdatedDate: Date(report.lastUpdated),
            segments: report.activitySegments.map { ActivitySegment($0) })
    }
}

extension DeviceActivityData.User {
    fileprivate init(_ user: ReportActivityUser) {
        var names: PersonNameComponents?
        if let name = user.name, !name.isEmpty {
            let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
            names = PersonNameComponents()
            names?.givenName = parts.first ?? name
            names?.familyName = parts.count > 1 ? parts[1] : nil
        }
        self.init(appleID: nil, nameComponents: names, role: user.role == .child ? .child : .individual)
    }
}

extension DeviceActivityData.ActivitySegment {
    fileprivate init(_ segment: ReportActivitySegment) {
        self.init(
            dateInterval: DateInterval(segment.dateInterval),
            totalActivityDuration: TimeInterval(segment.totalActivity),
            longestActivity: segment.longestActivity.map { DateInterval($0) },
            firstPickup: segment.firstPickup.map { Date($0) },
            totalPickupsWithoutApplicationActivity: Int(segment.totalPickupsWithoutApplicationActivity),
            categoryActivities: segment.categories.map { DeviceActivityData.CategoryActivity($0) })
    }
}

extension DeviceActivityData.CategoryActivity {
    fileprivate init(_ activity: ReportCategoryActivity) {
        self.init(
            category: ActivityCategory(
                identifier: Plain.name(activity.category),
                token: Plain.token(activity.token, activity.category),
                localizedDisplayName: activity.name ?? Plain.name(activity.category)),
            totalActivityDuration: TimeInterval(activity.totalActivity),
            applicationActivities: activity.applications.map { DeviceActivityData.ApplicationActivity($0) },
            webDomainActivities: activity.webDomains.map { DeviceActivityData.WebDomainActivity($0) })
    }
}

extension DeviceActivityData.ApplicationActivity {
    fileprivate init(_ activity: ReportApplicationActivity) {
        self.init(
            application: Application(
                bundleIdentifier: Plain.name(activity.app), token: Plain.token(activity.token, activity.app),
                localizedDisplayName: activity.name ?? Plain.name(activity.app)),
            totalActivityDuration: TimeInterval(activity.totalActivity),
            numberOfPickups: Int(activity.numberOfPickups),
            numberOfNotifications: Int(activity.numberOfNotifications))
    }
}

extension DeviceActivityData.WebDomainActivity {
    fileprivate init(_ activity: ReportDomainActivity) {
        self.init(
            webDomain: WebDomain(
                domain: Plain.name(activity.domain), token: Plain.token(activity.token, activity.domain)),
            totalActivityDuration: TimeInterval(activity.totalActivity))
    }
}

/// A subject in an answer is a plain identifier, or a client token if the program may not see names.
private enum Plain {
    static func name(_ subject: String) -> String? {
        Token<Never>(wireText: subject) == nil ? subject : nil
    }

    static func token<T>(_ token: String?, _ subject: String) -> Token<T>? {
        Token(wireText: token ?? subject)
    }
}

extension TimeInterval {
    fileprivate init(_ time: Milliseconds) { self = Double(time.count) / 1000 }
}
