import Charts
import SwiftUI

/// A bar for each of the ten most used apps, in minutes, or in hours where one has two of them.
struct BarChartView: View {
    private static let barsMax = 10
    let apps: [AppUse]

    var body: some View {
        VStack(spacing: 12) {
            Text("Most used apps").font(.title2).bold()
            Chart(apps.prefix(Self.barsMax)) { app in
                BarMark(x: .value(unit.name, app.usage / unit.seconds), y: .value("App", app.name))
                    .foregroundStyle(by: .value("App", app.name))
                    .annotation(position: .trailing) { Text(AppUse.text(app.usage)).font(.caption) }
            }
            // Room for the label behind the longest bar: "99 h 59 min".
            .chartXScale(domain: 0...longest / unit.seconds, range: .plotDimension(endPadding: 84))
            // The labels say more, and its lines would run through them.
            .chartXAxis(.hidden)
            .chartLegend(.hidden)
            .frame(height: 320)
        }
        .padding()
    }

    private var longest: TimeInterval { max(apps.first?.usage ?? 0, 60) }

    private var unit: (name: String, seconds: TimeInterval) {
        longest < 7_200 ? ("Minutes", 60) : ("Hours", 3_600)
    }
}
