import Charts
import SwiftUI

/// A bar for each of the ten most used apps, in minutes.
struct BarChartView: View {
    private static let barsMax = 10
    let apps: [AppUse]

    var body: some View {
        VStack(spacing: 12) {
            Text("Apps this week").font(.title2).bold()
            Chart(apps.prefix(Self.barsMax)) { app in
                BarMark(x: .value("Minutes", app.usage / 60), y: .value("App", app.name))
                    .foregroundStyle(by: .value("App", app.name))
                    .annotation(position: .trailing) {
                        Text("\(Int((app.usage / 60).rounded())) min").font(.caption)
                    }
            }
            .chartLegend(.hidden)
            .frame(height: 320)
        }
        .padding()
    }
}
