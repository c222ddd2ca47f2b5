import DeviceActivity
import ManagedSettings
import SwiftUI

@main
struct DowntimeReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        TotalActivityReport { TotalActivityView(report: $0) }
    }
}

extension DeviceActivityReport.Context {
    static let totalActivity = Self("Total Activity")
}

/// The view's data: the sum, and each app.
struct ActivityReport {
    struct App: Identifiable {
        var id: String
        var name: String
        var duration: TimeInterval
        var pickups: Int
    }

    var total: TimeInterval = 0
    var pickups = 0
    var apps: [App] = []
}

struct TotalActivityReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .totalActivity
    let content: (ActivityReport) -> TotalActivityView

    func makeConfiguration(
        representing data: DeviceActivityResults<DeviceActivityData>
    ) async -> ActivityReport {
        var apps: [String: ActivityReport.App] = [:]
        for await one in data {
            for await segment in one.activitySegments {
                for await category in segment.categories {
                    for await activity in category.applications { Self.add(activity, to: &apps) }
                }
            }
        }
        var report = ActivityReport()
        report.apps = apps.values.sorted { ($1.duration, $0.name) < ($0.duration, $1.name) }
        report.total = report.apps.reduce(0) { $0 + $1.duration }
        report.pickups = report.apps.reduce(0) { $0 + $1.pickups }
        return report
    }

    /// Adds up the use of an app on all days and devices.
    private static func add(
        _ activity: DeviceActivityData.ApplicationActivity, to apps: inout [String: ActivityReport.App]
    ) {
        let id = activity.application.bundleIdentifier ?? "?"
        var app =
            apps[id]
            ?? ActivityReport.App(
                id: id, name: activity.application.localizedDisplayName ?? id, duration: 0, pickups: 0)
        app.duration += activity.totalActivityDuration
        app.pickups += activity.numberOfPickups
        apps[id] = app
    }
}
