// What the code of document 000 uses of its own project, which the document does not show.
import FamilyControls
import Foundation
import ManagedSettings
import SwiftUI
import UIKit

/// The app saves the person's choice in the shared container.
class ScheduleVM {
    var selection: FamilyActivitySelection {
        savedSelection("selection")
    }
}

/// A selection that the app saved as a file of the shared container.
func savedSelection(_ name: String) -> FamilyActivitySelection {
    let group = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: "group.org.example.seed")
    do {
        guard let file = group?.appendingPathComponent("\(name).json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try JSONDecoder().decode(FamilyActivitySelection.self, from: Data(contentsOf: file))
    } catch {
        preconditionFailure("the selection \(name) cannot be read: \(error)")
    }
}

enum ColorManager {
    static let accentColor = UIColor(red: 0.2, green: 0.4, blue: 0.8, alpha: 1)
}

struct ActivityReport {
    let totalDuration: TimeInterval
    let apps: [AppDeviceActivity]
}

struct AppDeviceActivity: Identifiable {
    var id: String
    var displayName: String
    var duration: TimeInterval
    var numberOfPickups: Int
    var token: ApplicationToken?
}

struct TotalActivityView: View {
    var activityReport: ActivityReport

    var body: some View {
        VStack {
            Text("\(Int(activityReport.totalDuration)) seconds")
            ForEach(activityReport.apps) { app in
                Text("\(app.displayName): \(Int(app.duration)), \(app.numberOfPickups) pickups")
            }
        }
    }
}
