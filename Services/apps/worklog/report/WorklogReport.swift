import Charts
import DeviceActivity
import ManagedSettings
import SwiftUI

@main
struct WorklogReport: DeviceActivityReportExtension {
    var body: some DeviceActivityReportScene {
        PieChartReport { PieChartView(configuration: $0) }
    }
}

extension DeviceActivityReport.Context {
    static let pieChart = Self("Pie Chart")
}

/// The sum of use of each category.
struct PieChartReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .pieChart
    let content: (PieChartView.Configuration) -> PieChartView

    func makeConfiguration(
        representing data: DeviceActivityResults<DeviceActivityData>
    ) async -> PieChartView.Configuration {
        var usage: [ActivityCategory: TimeInterval] = [:]
        for await one in data {
            for await segment in one.activitySegments {
                for await category in segment.categories {
                    usage[category.category, default: 0] += category.totalActivityDuration
                }
            }
        }
        return PieChartView.Configuration(totalUsageByCategory: usage)
    }
}

struct PieChartView: View {
    struct Configuration {
        let totalUsageByCategory: [ActivityCategory: TimeInterval]
    }

    private struct Slice: Identifiable {
        var id: String
        var minutes: Double

        /// `45 min`, `3 h 5 min`; from 100 hours on, `157 h`.
        var text: String {
            let whole = Int(minutes.rounded())
            let (hours, rest) = (whole / 60, whole % 60)
            if hours == 0 { return "\(rest) min" }
            return hours >= 100 || rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
        }
    }

    let configuration: Configuration

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text("Use by category").font(.headline)
            Chart(slices) { slice in
                SectorMark(angle: .value("Minutes", slice.minutes), angularInset: 1)
                    .foregroundStyle(by: .value("Category", slice.id))
            }
            .frame(height: 300)
            ForEach(slices) { slice in
                HStack {
                    Text(slice.id)
                    Spacer()
                    Text(slice.text).monospacedDigit()
                }
            }
        }
        .padding()
    }

    private var slices: [Slice] {
        configuration.totalUsageByCategory
            .map { Slice(id: $0.key.localizedDisplayName ?? "Other", minutes: $0.value / 60) }
            .sorted { ($1.minutes, $0.id) < ($0.minutes, $1.id) }
    }
}
