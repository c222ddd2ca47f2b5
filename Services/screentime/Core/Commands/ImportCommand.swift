import Bus
import Contract
import Engine

extension Screentime {
    static let importCommand = Command(
        "import digital-wellbeing", ["FILE"],
        options: [
            Option(
                "--device", "NAME", "What the device is called here; the same name for every export of it."),
            .member,
            Option("--model", "NAME", "What kind of device it is; default: android."),
        ],
        summary: "Imports the event log of Android's Digital Wellbeing (CSV).",
        details: """
            FILE has the columns id, timestamp_ms, type, package and instance_id; - is standard input. It is
            read whole before anything is sent: a file that is not what it should be changes nothing. Rows
            that are known already, in whole or in part and in any order, change nothing either. Returns when
            the report shows it.
            """
    ) { invocation in
        guard let device = invocation.value("--device") else {
            throw CommandError(
                ExitCode.usage, "--device is missing",
                remedy:
                    "Name the phone, such as --device phone, and use the same name for every export of it.")
        }
        let path = invocation.arguments[0]
        let log = try ImportCommandFile.parse(path)
        let session = try invocation.session()
        let member = try await session.memberID(invocation.value("--member"))
        let sender = ImportCommandSender(
            session, member: member, device: device, model: invocation.value("--model") ?? "android")
        let sums = try await sender.send(log.changes)
        ImportCommandSummary.lines(path, device, log.counts, sums).forEach { Console.print($0) }
        try await sender.awaitReport(of: sums)
        return ExitCode.ok
    }
}

/// What came of an import, for the person who started it.
enum ImportCommandSummary {
    static func lines(
        _ path: String, _ device: String, _ counts: DigitalWellbeing.Counts, _ sums: ImportCommandSender.Sums
    ) -> [String] {
        let skipped = counts.skipped.values.reduce(0, +)
        var lines = [
            "Imported '\(path)' as device '\(device)'.",
            "  rows            \(counts.rows)",
            "  imported        \(sums.accepted)",
            "  already known   \(sums.duplicates)",
        ]
        if counts.repeated > 0 {
            lines.append("  repeated        \(counts.repeated)  (the same row twice in this file)")
        }
        lines.append(
            "  skipped         \(skipped)" + (skipped > 0 ? "  (these types say nothing about use)" : ""))
        for (type, count) in counts.skipped.sorted(by: { $0.key < $1.key }) {
            lines.append("    type \(type)\(meaning[type].map { ", \($0)" } ?? ""): \(count)")
        }
        return lines
    }

    /// Constants of android.app.usage.UsageEvents.Event that an export may have.
    private static let meaning: [Int64: String] = [
        5: "configuration change", 6: "system interaction", 7: "user interaction", 8: "shortcut invocation",
        9: "chooser action", 10: "notification seen", 11: "standby bucket changed", 15: "screen interactive",
        16: "screen non-interactive", 17: "keyguard shown", 19: "foreground service started",
        20: "foreground service stopped", 21: "continuing foreground service",
        22: "rollover foreground service",
        24: "activity destroyed", 25: "flush to disk", 28: "user unlocked", 29: "user stopped",
    ]
}
