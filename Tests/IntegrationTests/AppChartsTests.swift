import Contract
import Foundation
import JSON
import ScreenTimeTesting
import Testing

@Suite("charts") struct AppChartsTests {
    @Test func aWeekIsDrawnBothWaysAndNothingSaysWhy() async throws {
        try await World.with(clock: "2026-03-04T09:00:00Z") { world in
            try await world.prepare("charts", selections: [:])
            try await world.spend(.minutes(40), on: "org.example.Game")
            try await world.spend(.minutes(20), on: "org.example.Docs")
            let pie = try await world.app("charts", "show", "pie", "--devices", "mac")
            #expect(pie.status == 0, "\(pie.errors)")
            let text = pie.lines.joined(separator: "\n")
            #expect(text.contains("org.example.Game") && pie.lines.contains("1 h"), "\(text)")
            let file = world.directory + "/bar.html"
            let bar = try await world.app("charts", "show", "bar", "--output", file)
            #expect(bar.status == 0, "\(bar.errors)")
            let page = world.readText(file)
            #expect(page.contains("<svg") && page.contains("40 min"))
            for nothing in [["--devices", "iPad"], ["--weeks-back", "3"]] {
                let words = ["show", "pie"] + nothing
                let empty = try await world.app("charts", words[0], words[1], words[2], words[3])
                let said = empty.lines.joined(separator: "\n")
                #expect(empty.status == 0 && said.contains("nothing to show"), "\(nothing): \(said)")
            }
            let wrong = try await world.app("charts", "show", "pie", "--devices", "toaster")
            #expect(wrong.status == 64 && wrong.errors.contains("'toaster'"))
        }
    }

    @Test func aReportWithoutItsExtensionSaysSo() async throws {
        try await World.with(clock: "2026-03-04T09:00:00Z") { world in
            try await world.prepare("charts", selections: [:])
            let removed = try await world.command("extension", "remove", "org.screentime.charts.report")
            #expect(removed.status == 0, "\(removed.errors)")
            let pie = try await world.app("charts", "show", "pie")
            #expect(pie.status != 0 && pie.errors.contains("org.screentime.charts"), "\(pie.errors)")
        }
    }
}
