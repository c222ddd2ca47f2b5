import DeviceActivity
import SwiftUI

@main
struct ChartsReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        AppUseReport(context: .pieChart) { PieChartView(apps: $0) }
        AppUseReport(context: .barChart) { BarChartView(apps: $0) }
    }
}

extension DeviceActivityReport.Context {
    static let pieChart = Self("pieChart")
    static let barChart = Self("barChart")
}

/// One app's use, over all days and devices of the filter.
struct AppUse: Hashable, Identifiable {
    var id: String
    var name: String
    /// Seconds.
    var usage: TimeInterval

    /// For example `1 h 5 min`; seconds below a minute, whole hours from 100 on.
    static func text(_ usage: TimeInterval) -> String {
        let seconds = Int(usage)
        if seconds < 60 { return "\(seconds) s" }
        let minutes = seconds / 60
        if minutes < 60 { return "\(minutes) min" }
        let (hours, rest) = (minutes / 60, minutes % 60)
        return rest == 0 || hours >= 100 ? "\(hours) h" : "\(hours) h \(rest) min"
    }
}

/// The used apps, most used first.
struct AppUseReport<Content: View>: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context
    let content: ([AppUse]) -> Content

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
        -> [AppUse]
    {
        var uses: [String: AppUse] = [:]
        for await one in data {
            for await segment in one.activitySegments {
                for await category in segment.categories {
                    for await activity in category.applications {
                        let app = activity.application
                        let id = app.bundleIdentifier ?? app.localizedDisplayName ?? "?"
                        uses[id, default: AppUse(id: id, name: app.localizedDisplayName ?? id, usage: 0)]
                            .usage += activity.totalActivityDuration
                    }
                }
            }
        }
        return uses.values.filter { $0.usage > 0 }.sorted { ($1.usage, $0.id) < ($0.usage, $1.id) }
    }
}
