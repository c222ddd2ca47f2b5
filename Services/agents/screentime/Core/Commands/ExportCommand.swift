import CommandKit
import Contract
import Loop
import Rules
import Schedules
import Units

extension Screentime {
    static let exportCommand = Command(
        "export",
        options: [
            Option(
                "--format", "FORMAT", "jsonl (default), csv or activitywatch.",
                values: .words(["jsonl", "csv", "activitywatch"])),
            Option("--from", "WHEN", "A day, YYYY-MM-DD, or an RFC 3339 instant; default: the beginning."),
            Option("--to", "WHEN", "A day, included, or an instant, excluded; default: the end."),
            Option("--zone", "ZONE", "Whose clock makes the days; default: this machine's."),
            .member, Option("--device", "DEVICE", "Only this device."),
            Option("-o", "FILE", "Where to; default: standard output.", values: .file, aliases: ["--output"]),
        ],
        summary: "Export the recorded usage.",
        details: """
            jsonl keeps everything: imported into an empty system it gives the same totals, pickups,
            notifications, devices and domains. csv has a line for each stretch of use with the columns
            \(UsageTables.csvHeader).
            activitywatch has buckets of windows, presence and pages, as ActivityWatch imports them; it has no
            place for pickups, notifications and pages without a host.
            """
    ) { invocation in
        let format = invocation.value("--format") ?? "jsonl"
        let (from, to) = try exportRange(invocation)
        let session = try invocation.session()
        let member = try await session.memberID(invocation.value("--member"))
        let output = try ExportOutput(invocation.value("-o"))
        let params = UsageExport.Params(member: member, device: invocation.value("--device"))
        let source = ExportSource(session, params, from: from, to: to)
        switch format {
        case "csv":
            try output.write(UsageTables.csvHeader)
            try await source.forEachUse { use in try UsageTables.csv(use).forEach(output.write) }
        case "activitywatch":
            var uses: [DeviceUse] = []
            try await source.forEachUse { uses.append($0) }
            try output.write(bytes: UsageTables.activityWatch(uses))
        default: try await source.forEachLine { try output.write(bytes: $0.encoded()) }
        }
        try output.finish()
        return ExitCode.ok
    }

    @LoopActor private static func exportRange(
        _ invocation: Invocation
    ) throws -> (from: Instant?, to: Instant?) {
        let name = invocation.value("--zone") ?? MachineZone.name
        let zone: Zone
        do throws(CivilTimeError) {
            zone = try name.map { (name) throws(CivilTimeError) in try Zone(name) } ?? .current
        } catch {
            throw CommandError(ExitCode.usage, "--zone: \(error)", remedy: "Give an IANA name.")
        }
        func instant(_ option: String, isEnd: Bool) throws(CommandError) -> Instant? {
            guard let text = invocation.value(option) else { return nil }
            if let date = LocalDate(text) { return zone.start(of: isEnd ? date.advanced(by: 1) : date) }
            if let instant = InstantReading.instant(text) { return instant }
            throw CommandError(
                ExitCode.usage, "\(option) is '\(text)'",
                remedy: "Use a day, 2024-05-01, or an instant, 2024-05-01T10:00:00+02:00.")
        }
        let from = try instant("--from", isEnd: false)
        let to = try instant("--to", isEnd: true)
        guard from ?? .min < to ?? .max else {
            throw CommandError(ExitCode.usage, "--from is not before --to", remedy: "Swap them.")
        }
        return (from, to)
    }
}

/// The observations of a member's devices, page after page, cut to the time asked for.
@LoopActor struct ExportSource {
    private let session: Session
    private let params: UsageExport.Params
    private let from: Instant?
    private let to: Instant?

    /// One page, on a slow disk.
    private static let deadline: Milliseconds = 60_000

    init(_ session: Session, _ params: UsageExport.Params, from: Instant?, to: Instant?) {
        self.session = session
        self.params = params
        self.from = from
        self.to = to
    }

    private struct Device {
        let name: String
        let model: String
        var machine = UsageMachine()
        var output = UsageOutput()
    }

    /// Every observation with its device, as it was received; the end of each device with all of its use.
    private func forEachObservation(
        _ body: (Device, Observation) throws -> Void, atEnd: (Device, DeviceUse) throws -> Void
    ) async throws {
        var device: Device?
        var params = params
        repeat {
            let page = try await session.call(UsageExport.self, params, deadline: Self.deadline)
            if let ended = device, ended.name != page.device {
                try atEnd(ended, use(of: ended))
                device = nil
            }
            guard let name = page.device else {
                let device = params.device.map { " on '\($0)'" } ?? ""
                return Console.note("Nothing is recorded of this member\(device).")
            }
            var present =
                device
                ?? Device(name: name, model: page.deviceModel ?? ImportFormat.observations.deviceModel)
            device = nil
            for observation in page.observations {
                present.machine.apply(try UsageChange(observation), &present.output)
                try body(present, observation)
            }
            device = present
            params.page = page.nextPage
        } while params.page != nil
        if let device { try atEnd(device, use(of: device)) }
    }

    private func use(of device: Device) -> DeviceUse {
        let closing = device.machine.closing()
        let isLive = ImportFormat.isLive(model: device.model)
        let uses = device.output.uses + (isLive ? closing.uses : [])
        return DeviceUse(device: device.name, uses: uses, marks: device.output.marks + closing.marks)
    }

    private var window: TimeRange? {
        TimeRange(start: from ?? 0, end: to ?? .max)
    }

    /// Of the whole time the log itself; of a part of it the closed use in it.
    func forEachLine(_ body: (ObservationLines.Line) throws -> Void) async throws {
        let isWhole = from == nil && to == nil
        var names: [String: String] = [:]
        try await forEachObservation { device, observation in
            if let app = observation.app, let name = observation.appName { names[app] = name }
            guard isWhole else { return }
            try body(ObservationLines.Line(observation, device: device.name, deviceModel: device.model))
        } atEnd: { device, use in
            for change in isWhole ? [] : ClosedUse.changes(use, in: window) {
                var observation = change.observation
                observation.appName = observation.app.flatMap { names.removeValue(forKey: $0) }
                try body(ObservationLines.Line(observation, device: device.name, deviceModel: device.model))
            }
            names = [:]
        }
    }

    /// The use of one device after the other.
    func forEachUse(_ body: (DeviceUse) throws -> Void) async throws {
        try await forEachObservation { _, _ in } atEnd: { _, use in
            try body(window.map { use.clipped(to: $0) } ?? use)
        }
    }
}
