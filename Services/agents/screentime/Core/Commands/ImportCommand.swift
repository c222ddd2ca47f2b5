import CommandKit
import Contract
import Loop
import Rules

extension Screentime {
    static let importCommands = [
        Command(
            "import", [.file("FILE")],
            options: [
                Option(
                    "--format", "FORMAT", "\(formats); default: what the file looks like.",
                    values: .cases(of: ImportFormat.self)),
                deviceOption, Option("--panelist", "NAME", "Of web visits: only this panelist's."),
                .member, modelOption,
            ],
            summary: "Import usage from a file.", details: importHelp
        ) { invocation in try await runImport(invocation, format(invocation)) },
        Command(
            "import digital-wellbeing", [.file("FILE")], options: [deviceOption, .member, modelOption],
            summary: "Import the event log of Android's Digital Wellbeing (CSV).", details: importHelp
        ) { invocation in try await runImport(invocation, .digitalWellbeing) },
        Command(
            "import web-visits", [.file("FILE")],
            options: [
                deviceOption, Option("--panelist", "NAME", "Only this one's visits."), .member, modelOption,
            ],
            summary: "Import visits to web pages (CSV).", details: importHelp
        ) { invocation in try await runImport(invocation, .webVisits) },
        Command(
            "import activitywatch", [.file("FILE")], options: [deviceOption, .member, modelOption],
            summary: "Import an export of ActivityWatch (JSON).", details: importHelp
        ) { invocation in try await runImport(invocation, .activityWatch) },
        Command(
            "import knowledgec", [.file("FILE")], options: [deviceOption, .member, modelOption],
            summary: "Import app usage from macOS's knowledgeC.db.", details: importHelp
        ) { invocation in try await runImport(invocation, .knowledgeC) },
        Command(
            "import observations", [.file("FILE")], options: [deviceOption, .member, modelOption],
            summary: "Import our own export (JSON Lines).", details: importHelp
        ) { invocation in try await runImport(invocation, .observations) },
    ]

    private static let deviceOption = Option(
        "--device", "NAME", "What the device is called here; the same name for every file of it.")
    private static let modelOption = Option(
        "--model", "NAME", "What kind of device it is; default: by the format, such as android.")

    static let formats = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")

    private static let importHelp = """
        The file is read completely before anything is sent; an invalid file changes nothing. Rows that were
        imported before are skipped, in any order. Returns when the report shows the import. - is standard
        input.

          digital-wellbeing  CSV with id, timestamp_ms, type, package, instance_id. Needs --device.
          web-visits         CSV with panelist, timestamp_ms, host. A visit lasts until the panelist's next
                             one, at most 300 s; the last one does not count. Of several in one millisecond
                             the last row counts. A panelist is a device.
          activitywatch      The server's export: buckets of currentwindow, afkstatus and web.tab.current. A
                             hostname is a device.
          knowledgec         macOS's knowledgeC.db, /app/usage; it is copied with its -wal and never changed.
                             Needs --device.
          observations       JSON Lines: an observation of the contract on each, with device and device_model.
        """

    static func format(_ invocation: Invocation) -> ImportFormat? {
        invocation.value("--format").flatMap { ImportFormat(rawValue: $0) }
    }

    /// - Throws: a usage error for a name that no device has.
    @LoopActor private static func checkNames(_ invocation: Invocation) throws(CommandError) {
        do throws(ServiceError) {
            try ObservationCheck.check(
                device: invocation.value("--device") ?? "device", model: invocation.value("--model"))
        } catch {
            throw CommandError(
                ExitCode.usage, error.message, remedy: "\(ImportCommandFile.nothing) \(error.remedy)")
        }
    }

    @LoopActor private static func runImport(
        _ invocation: Invocation, _ format: ImportFormat?
    ) async throws -> Int32 {
        let path = invocation.arguments[0]
        try checkNames(invocation)
        let file = try ImportCommandFile.parse(path, format, panelist: invocation.value("--panelist"))
        let devices = try file.devices(named: invocation.value("--device"))
        func model(of device: ImportedDevice) -> String {
            invocation.value("--model") ?? device.model ?? file.format.deviceModel
        }
        for device in devices { try file.check(device, model: model(of: device)) }
        let session = try invocation.session()
        let member = try await session.memberID(invocation.value("--member"))
        let sender = ImportCommandSender(session, member: member)
        var sums = ImportCommandSender.Sums()
        for device in devices {
            sums = try await sender.send(device, model: model(of: device), after: sums)
        }
        ImportCommandSummary.lines(path, devices.map { $0.name ?? "" }, file.content.counts, sums)
            .forEach { Console.print($0) }
        try await sender.awaitReport(of: sums)
        return ExitCode.ok
    }
}

/// What came of an import, for the person who started it.
enum ImportCommandSummary {
    static func lines(
        _ path: String, _ devices: [String], _ counts: ImportCounts, _ sums: ImportCommandSender.Sums
    ) -> [String] {
        let skipped = counts.skipped.values.reduce(0, +)
        let names = devices.map { "'\($0)'" }.joined(separator: ", ")
        var lines = [
            devices.isEmpty
                ? "Imported '\(path)': it has no device."
                : "Imported '\(path)' as device\(devices.count == 1 ? "" : "s") \(names).",
            "  rows            \(counts.rows)",
            "  imported        \(sums.accepted)",
            "  already known   \(sums.duplicates)",
        ]
        if counts.repeated > 0 {
            lines.append("  repeated        \(counts.repeated)  (the same row twice in this file)")
        }
        lines.append(
            "  skipped         \(skipped)" + (skipped > 0 ? "  (these say nothing about use)" : ""))
        for (reason, count) in counts.skipped.sorted(by: { $0.key < $1.key }) {
            lines.append("    \(reason): \(count)")
        }
        return lines
    }
}
