import SwiftUI

/// The total, then each app with its time, its share as a bar, and its pickups.
struct TotalActivityView: View {
    let report: ActivityReport

    var body: some View {
        VStack(alignment: .leading, spacing: 16) {
            Text("스크린타임 총 사용 시간").font(.headline).foregroundStyle(.secondary)
            Text(Self.text(report.total)).font(.largeTitle).bold()
            Text("화면 깨우기 \(report.pickups)회").font(.subheadline).foregroundStyle(.secondary)
            Divider()
            if report.apps.isEmpty {
                Text("이 기간에는 사용 기록이 없습니다.").foregroundStyle(.secondary)
            }
            ForEach(report.apps) { app in
                VStack(alignment: .leading, spacing: 4) {
                    HStack {
                        Text(app.name).font(.body)
                        Spacer()
                        Text(Self.text(app.duration)).monospacedDigit()
                    }
                    ProgressView(value: app.duration, total: max(report.total, 1))
                    Text("화면 깨우기 \(app.pickups)회").font(.caption).foregroundStyle(.secondary)
                }
            }
        }
        .padding()
    }

    /// For example `1시간 5분`; seconds below a minute.
    private static func text(_ duration: TimeInterval) -> String {
        let seconds = Int(duration)
        if seconds < 60 { return "\(seconds)초" }
        let hours = seconds / 3_600
        let minutes = seconds % 3_600 / 60
        return hours == 0 ? "\(minutes)분" : "\(hours)시간 \(minutes)분"
    }
}
