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

    /// However long both are.
    @Test func noLabelLiesOnItsBar() async throws {
        try await World.with(clock: "2026-03-04T09:00:00Z") { world in
            try await world.prepare("charts", selections: [:])
            try await world.spend(.minutes(574), on: "org.example." + String(repeating: "W", count: 30))
            try await world.spend(.minutes(239), on: "org.example.Docs")
            let file = world.directory + "/bar.html"
            let bar = try await world.app("charts", "show", "bar", "--output", file)
            #expect(bar.status == 0, "\(bar.errors)")
            // The page is in an attribute.
            let page = world.readText(file).replacingOccurrences(of: "&quot;", with: "\"")
                .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            let bars = page.matches(
                of: #/translate\((?<x>[0-9.]+) [^>]*><title>[^<]*</title><rect.*? width="(?<width>[0-9.]+)/#)
            let labels = page.matches(of: #/<foreignObject class="[^"]*" x="(?<x>[0-9.]+)"/#)
            #expect(bars.count == 2 && labels.count == 2, "\(page)")
            for (bar, label) in zip(bars, labels) {
                let end = try #require(Double(bar.x)) + #require(Double(bar.width))
                #expect(try #require(Double(label.x)) >= end, "\(label.x) lies on a bar that ends at \(end)")
            }
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
