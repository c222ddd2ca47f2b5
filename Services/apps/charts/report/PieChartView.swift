import Charts
import SwiftUI

/// A donut chart of the apps; from the eighth on they are combined.
struct PieChartView: View {
    private static let slicesMax = 7
    let apps: [AppUse]

    var body: some View {
        VStack(spacing: 12) {
            Text("Most used apps").font(.title2).bold()
            Chart(slices) { slice in
                SectorMark(
                    angle: .value("Usage", slice.usage), innerRadius: .ratio(0.618), outerRadius: .inset(10),
                    angularInset: 1
                )
                .cornerRadius(4)
                .foregroundStyle(by: .value("App", slice.name))
            }
            .frame(height: 320)
            Text(AppUse.text(apps.reduce(0) { $0 + $1.usage })).font(.headline).foregroundStyle(.secondary)
        }
        .padding()
    }

    private var slices: [AppUse] {
        guard apps.count > Self.slicesMax else { return apps }
        let rest = apps[(Self.slicesMax - 1)...].reduce(0) { $0 + $1.usage }
        return apps.prefix(Self.slicesMax - 1) + [AppUse(id: "", name: "Others", usage: rest)]
    }
}
