import ClockDriver
import CommandKit
import Contract
import JSON
import Loop
import ServiceKit
import Units

extension Screentime {
    private static let timeout = Option(
        "--timeout", "SECONDS",
        "Name a process that has not moved for so long (default \(ClockDriver.timeout / .second)).")
    private static let skip = Option(
        "--skip", "EXTENSION",
        "Do not wait for this extension: a callback that it does not return from is given up.",
        isRepeatable: true)
    private static let driving = """
        The clock moves from one due instant to the next, and only when every process is idle: callbacks
        come in order, each at its own instant. The command returns when all are idle. If a process does not
        become idle, the command names it and exits with 75; the clock stays where it is then, and a repeat
        continues.
        """

    static let clockCommands = [
        Command(
            "clock start-virtual", ["INSTANT"], options: [timeout, .json],
            summary: "Start a virtual clock at INSTANT, stopped, for the whole system.",
            details: """
                INSTANT is RFC 3339 with any offset, for example 2026-03-29T00:30:00+01:00. The state
                directory must be empty (before the services are started), or the services must hold nothing
                yet. If virtual time has begun, the clock is advanced to INSTANT.
                """
        ) { invocation in
            let at = try instant(invocation)
            return try await drive(invocation) { driver throws(ServiceError) in
                try await driver.start(at: at)
            }
        },
        Command(
            "clock advance", ["DURATION"], options: [timeout, skip, .json],
            summary: "Advance the virtual clock by DURATION: 90s, 15m, 8h, 30d, 1h30m.", details: driving
        ) { invocation in
            guard let by = TimeSpan.milliseconds(invocation.arguments[0]) else {
                throw CommandError(
                    ExitCode.usage, "'\(invocation.arguments[0])' is not a duration",
                    remedy: "Use 250ms, 90s, 15m, 8h or 30d, or several after each other as 1h30m.")
            }
            return try await drive(invocation) { driver throws(ServiceError) in
                try await driver.advance(by: by)
            }
        },
        Command(
            "clock advance-to", ["INSTANT"], options: [timeout, skip, .json],
            summary: "Advance the virtual clock to INSTANT (RFC 3339).", details: driving
        ) { invocation in
            let at = try instant(invocation)
            return try await drive(invocation) { driver throws(ServiceError) in
                try await driver.advance(to: at)
            }
        },
        Command(
            "clock status", options: [.json],
            summary: "Show which clock the system uses, what is due next, and whether every process is idle."
        ) { invocation in
            let driver = try driver(invocation)
            let view = try await driver.view()
            invocation.has("--json") ? printJSON(view) : printTable(view)
            return ExitCode.ok
        },
    ]

    private static func instant(_ invocation: Invocation) throws(CommandError) -> Instant {
        guard let at = InstantReading.instant(invocation.arguments[0]) else {
            throw CommandError(
                ExitCode.usage, "'\(invocation.arguments[0])' is no instant",
                remedy: "Use RFC 3339 with an offset or Z, as 2026-03-29T00:30:00+01:00.")
        }
        return at
    }

    @LoopActor private static func driver(_ invocation: Invocation) throws -> ClockDriver {
        let seconds = try invocation.number("--timeout", in: 1...3_600)
        let session = try invocation.session()
        return ClockDriver(
            session.configuration, tracer: session.tracer,
            timeout: seconds.map { .seconds(Int64($0)) } ?? ClockDriver.timeout,
            skipping: invocation.values("--skip") ?? [])
    }

    @LoopActor private static func drive(
        _ invocation: Invocation,
        _ body: @LoopActor (ClockDriver) async throws(ServiceError) -> ClockDriver.Drive
    ) async throws -> Int32 {
        let drive = try await body(try driver(invocation))
        guard invocation.has("--json") else {
            for delivery in drive.skipped {
                let (program, callback) = (delivery.program ?? "-", delivery.callback)
                Console.print(
                    "Skipped \(program): it did not return from \(callback) of activity "
                        + "\(delivery.about.activity).")
            }
            Console.print("It is \(UTCTime.text(drive.now)); \(drive.instants) due instants on the way.")
            return ExitCode.ok
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("now")
        writer.string(UTCTime.text(drive.now))
        for (key, value) in [
            ("now_ms", drive.now.milliseconds), ("from_ms", drive.from.milliseconds),
            ("instants", Int64(drive.instants)),
        ] {
            writer.key(key)
            writer.integer(value)
        }
        writer.key("skipped")
        writer.beginArray()
        for delivery in drive.skipped { writer.raw(delivery.encoded()) }
        writer.endArray()
        writer.endObject()
        Console.print(writer.finish())
        return ExitCode.ok
    }

    // MARK: status

    private static func printTable(_ view: ClockDriver.View) {
        Console.print("\(view.isVirtual ? "virtual" : "real")  \(UTCTime.text(view.now))")
        if let next = view.next {
            Console.print("next due  \(UTCTime.text(next.due)), \(next.name)")
        } else {
            Console.print("next due  nothing")
        }
        guard !view.processes.isEmpty else { return Console.print("no process runs") }
        Console.print(view.isStill ? "all are still" : "not still")
        var table = TextTable(["PROCESS", "PID", "NEXT DUE", "WAITS FOR"])
        for process in view.processes {
            table.add([
                process.name, process.pid.map(String.init) ?? "-",
                process.nextDue.map(UTCTime.text) ?? "-", process.waitsFor.joined(separator: ", "),
            ])
        }
        table.printAll()
    }

    private static func printJSON(_ view: ClockDriver.View) {
        var writer = JSONWriter()
        func integer(_ key: String, _ value: Int64?) {
            writer.key(key)
            if let value { writer.integer(value) } else { writer.null() }
        }
        func text(_ key: String, _ value: String?) {
            writer.key(key)
            if let value { writer.string(value) } else { writer.null() }
        }
        writer.beginObject()
        writer.key("virtual")
        writer.boolean(view.isVirtual)
        text("now", UTCTime.text(view.now))
        integer("now_ms", view.now.milliseconds)
        integer("next_due_ms", view.next?.due.milliseconds)
        text("next_due_of", view.next?.name)
        writer.key("still")
        writer.boolean(view.isStill)
        writer.key("processes")
        writer.beginArray()
        for process in view.processes {
            writer.beginObject()
            text("name", process.name)
            integer("pid", process.pid)
            integer("next_due_ms", process.nextDue?.milliseconds)
            writer.key("waits_for")
            writer.beginArray()
            for sentence in process.waitsFor { writer.string(sentence) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        Console.print(writer.finish())
    }
}
