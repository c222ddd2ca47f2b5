import CommandKit
import Contract
import JSON
import Loop
import Monitoring
import Replay
import Rules
import Schedules
import Units

extension Screentime {
    static let replayCommand = Command(
        "replay", [.file("FILE")],
        options: [
            Option(
                "--format", "FORMAT", "\(formats); default: what the file looks like.",
                values: .cases(of: ImportFormat.self)),
            Option(
                "--policy", "POLICY.json", "The activities, as `monitor start` takes them.", values: .file),
            Option("--zone", "ZONE", "Whose clock makes the days; default: this machine's."),
            Option("--shift-ms", "N", "Added to every stamp of the file; may be negative."),
            Option("--registered-at", "INSTANT", "RFC 3339; default: at the first observation, before it."),
            Option("--panelist", "NAME", "Of web visits: only this panelist's."), .json,
        ],
        summary: "Replay recorded usage and print the callbacks that monitoring would have delivered.",
        details: """
            Needs no running service. Time ends with the last observation. All devices of the file belong to
            one member. Categories are the well-known ones and those in the observations. A use without an
            end does not count, unless its device is a live one (observations of model linux): then it lasts
            until the device's last observation.

            --json prints a line for each callback: callback, activity, event, at_ms, occurrence_start_ms,
            total_ms; event and total_ms are null where there are none.
            """
    ) { invocation in
        guard let policyPath = invocation.value("--policy") else {
            throw CommandError(
                ExitCode.usage, "--policy is missing",
                remedy: "Name a file as `screentime monitor start --help` shows it.")
        }
        let format = format(invocation)
        let zone = try replayZone(invocation)
        let shift = try shift(invocation)
        let registered = try registered(invocation)
        let policy = try readPolicy(policyPath)
        let file = try replayFile(invocation, format)
        guard let replay = Replay(file.replayed, shift: shift) else {
            Console.note("'\(file.path)' has no observation.")
            return ExitCode.ok
        }
        guard replay.firstObservation >= 0, replay.lastObservation <= latestStamp else {
            throw CommandError(
                ExitCode.usage, "--shift-ms \(shift) moves '\(file.path)' out of the years 1970 to 9999",
                remedy: "Shift it by less.")
        }
        let start = registered ?? replay.firstObservation
        do {
            try ActivityCheck(zone: zone, now: start).check(policy.activities)
        } catch let error as ServiceError {
            throw CommandError(ExitCode.badData, "'\(policyPath)': \(error.message)", remedy: error.remedy)
        }
        if invocation.has("--json") {
            try replay.tell(policy.activities, zone: zone, registered: start) {
                Console.print(ReplayCommandRows.json($0))
            }
        } else {
            let callbacks = try replay.callbacks(of: policy.activities, zone: zone, registered: start)
            ReplayCommandRows.table(callbacks, zone).printAll()
        }
        return ExitCode.ok
    }

    @LoopActor private static func replayFile(
        _ invocation: Invocation, _ format: ImportFormat?
    ) throws(CommandError) -> ImportCommandFile {
        do throws(CommandError) {
            return try .parse(
                invocation.arguments[0], format, panelist: invocation.value("--panelist"))
        } catch {
            var told = error
            let nothing = ImportCommandFile.nothing + " "
            if told.remedy.hasPrefix(nothing) { told.remedy.removeFirst(nothing.count) }
            throw told
        }
    }

    @LoopActor private static func replayZone(_ invocation: Invocation) throws(CommandError) -> Zone {
        guard let name = invocation.value("--zone") ?? MachineZone.name else { return .current }
        do throws(CivilTimeError) { return try Zone(name) } catch {
            throw CommandError(ExitCode.usage, "--zone: \(error)", remedy: "Give an IANA name.")
        }
    }

    /// A shift of ten thousand years is a slip of the pen.
    @LoopActor private static func shift(_ invocation: Invocation) throws(CommandError) -> Milliseconds {
        let most = Int(latestStamp.milliseconds)
        return Milliseconds(try invocation.number("--shift-ms", in: -most...most) ?? 0)
    }

    @LoopActor private static func registered(_ invocation: Invocation) throws(CommandError) -> Instant? {
        guard let text = invocation.value("--registered-at") else { return nil }
        guard let instant = InstantReading.instant(text) else {
            throw CommandError(
                ExitCode.usage, "--registered-at is '\(text)'",
                remedy: "Use an RFC 3339 instant, 2023-06-01T10:00:00+02:00.")
        }
        return instant
    }
}

extension ImportCommandFile {
    /// With the format's model where the file names none.
    fileprivate var replayed: [ImportedDevice] {
        content.devices.map { device in
            var whole = device
            whole.model = device.model ?? format.deviceModel
            return whole
        }
    }
}

enum ReplayCommandRows {
    static func json(_ callback: ReplayedCallback) -> [UInt8] {
        var writer = JSONWriter(capacity: 192)
        writer.beginObject()
        writer.key("callback")
        writer.string(callback.callback.rawValue)
        writer.key("activity")
        writer.string(callback.activity)
        writer.key("event")
        if let event = callback.event { writer.string(event) } else { writer.null() }
        writer.key("at_ms")
        writer.integer(callback.at.milliseconds)
        writer.key("occurrence_start_ms")
        writer.integer(callback.occurrenceStart.milliseconds)
        writer.key("total_ms")
        if let total = callback.total { writer.integer(total.count) } else { writer.null() }
        writer.endObject()
        return writer.finish()
    }

    static func table(_ callbacks: [ReplayedCallback], _ zone: Zone) -> TextTable {
        var table = TextTable(["TIME (\(zone.identifier))", "CALLBACK", "ACTIVITY", "EVENT", "USE"])
        for callback in callbacks {
            table.add([
                time(callback.at, zone), callback.callback.rawValue, callback.activity,
                callback.event ?? "", callback.total.map(LocalTime.duration) ?? "",
            ])
        }
        return table
    }

    /// `2023-06-01 14:00:00.123+05:45`
    private static func time(_ at: Instant, _ zone: Zone) -> String {
        LocalTime.precise(
            stamp: zone.timestamp(at: at), milliseconds: at.sinceEpoch.flooredRemainder(.second).count)
    }
}
