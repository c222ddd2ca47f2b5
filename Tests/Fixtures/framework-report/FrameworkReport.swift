import DeviceActivity
import SwiftUI

extension DeviceActivityReport.Context {
    static let total = Self("Total")
    static let apps = Self("Apps")
}

@main
struct FrameworkReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        TotalReport { total in
            TotalView(total: total)
        }
        AppsReport { rows in
            AppsView(rows: rows)
        }
    }
}

/// As Xcode's template has it.
struct TotalReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .total
    let content: (String) -> TotalView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> String {
        let total = await data.flatMap { $0.activitySegments }.reduce(0) {
            $0 + $1.totalActivityDuration
        }
        return "\(Int(total)) seconds"
    }
}

struct TotalView: View {
    let total: String

    var body: some View { Text(total) }
}

struct AppsReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .apps
    let content: ([String]) -> AppsView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> [String] {
        var rows: [String] = []
        for await one in data {
            let name = one.user.nameComponents?.givenName ?? "?"
            rows.append("\(name) \(one.user.role) \(one.device.name ?? "?") \(one.device.model)")
            for await segment in one.activitySegments {
                rows.append("pickups without app \(segment.totalPickupsWithoutApplicationActivity)")
                rows.append("longest \(segment.longestActivity?.duration ?? 0)")
                rows.append("first pickup \(segment.firstPickup?.timeIntervalSince1970 ?? 0)")
                for await category in segment.categories {
                    rows.append("category \(category.category.localizedDisplayName ?? "?")")
                    for await app in category.applications { rows.append(row(app)) }
                    for await site in category.webDomains {
                        rows.append("site \(site.webDomain.domain ?? "?") \(site.totalActivityDuration)")
                    }
                }
            }
        }
        return rows
    }

    private func row(_ app: DeviceActivityData.ApplicationActivity) -> String {
        let application = app.application
        return """
            app \(application.localizedDisplayName ?? "?") \(application.bundleIdentifier ?? "?") \
            \(application.token == nil ? "no token" : "token") \(app.totalActivityDuration) \
            \(app.numberOfPickups) \(app.numberOfNotifications)
            """
    }
}

struct AppsView: View {
    let rows: [String]

    var body: some View {
        VStack {
            ForEach(rows, id: \.self) { Text($0) }
        }
    }
}
