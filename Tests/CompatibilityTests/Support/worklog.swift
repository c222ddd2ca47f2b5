// What the code of document 002 uses of its own project, which the document does not show.
import DeviceActivity
import Foundation
import ManagedSettings
import SwiftUI

/// The app saves the tokens of its two categories in the shared container.
func categoryToken(_ name: String) -> ActivityCategoryToken {
    let group = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: "group.org.example.seed")
    do {
        guard let file = group?.appendingPathComponent("\(name).json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try JSONDecoder().decode(ActivityCategoryToken.self, from: Data(contentsOf: file))
    } catch {
        preconditionFailure("the token of \(name) cannot be read: \(error)")
    }
}

struct BarkDatabase {
    var socialCategoryToken: ActivityCategoryToken { categoryToken("social") }
}

extension DeviceActivityReport.Context {
    static let pieChart = Self("Pie Chart")
}

func usage(of data: DeviceActivityResults<DeviceActivityData>) async -> [ActivityCategory: TimeInterval] {
    var sums: [ActivityCategory: TimeInterval] = [:]
    for await device in data {
        for await segment in device.activitySegments {
            for await category in segment.categories {
                sums[category.category, default: 0] += category.totalActivityDuration
            }
        }
    }
    return sums
}

struct PieChart: View {
    let usage: [ActivityCategory: TimeInterval]

    var body: some View {
        ForEach(
            usage.sorted { $0.value > $1.value }.map { (name: $0.key.localizedDisplayName ?? "?", $0.value) },
            id: \.name
        ) {
            Text("\($0.name): \(Int($0.1)) seconds")
        }
    }
}
