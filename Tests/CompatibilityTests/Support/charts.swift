// What the code of document 004 uses of its own project, which the document does not show.
import Charts
import DeviceActivity
import SwiftUI

extension DeviceActivityFilter.SegmentInterval {
    static var thisWeek: Self {
        .daily(during: Calendar.current.dateInterval(of: .weekOfYear, for: .now) ?? DateInterval())
    }
}

struct AppReport: Hashable {
    var appName: String
    var usage: TimeInterval
}

extension DeviceActivityResults where Element == DeviceActivityData {
    func printLog() async {
        for await device in self { print("device of \(device.user.role)") }
    }
}

struct BarChartReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .barChart
    let content: ([AppReport]) -> BarChartView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> [AppReport]
    {
        var reports: [AppReport] = []
        for await device in data {
            for await segment in device.activitySegments {
                reports.append(AppReport(appName: "all", usage: segment.totalActivityDuration))
            }
        }
        return reports
    }
}

struct BarChartView: View {
    let appReports: [AppReport]

    var body: some View {
        Chart(appReports, id: \.self) { report in
            BarMark(x: .value("app", report.appName), y: .value("usage", report.usage))
        }
    }
}
