import ClockDriver
import Contract
import JSON
import Loop
import ServiceKit

extension Screentime {
    private static let timeout = Option(
        "--timeout", "SECONDS",
        "Name a process that has not moved for so long (default \(ClockDriver.timeoutMs / 1_000)).")
    private static let skip = Option(
        "--skip", "EXTENSION",
        "Do not wait for this extension: a callback that it does not return from is given up.",
        isRepeatable: true)
    private static let driving = """
        The clock goes from one due instant to the next, and on only when every process is still: each
        callback comes in order, at its own instant. Returns when all are still. Who does not get still is
        named, with exit code 75; the clock stands where it is then, and a repeat goes on.
        """

    static let clockCommands = [
        Command(
            "clock start-virtual", ["INSTANT"], options: [timeout, .json],
            summary: "Lets the whole system live by a virtual clock that begins at INSTANT and stands.",
            details: """
                INSTANT is RFC 3339 with any offset, as 2026-03-29T00:30:00+01:00. Only with a state directory
                that is empty, before the services are started; or with services that hold nothing yet. Where
                virtual time has begun, it is moved on to INSTANT.
                """
        ) { invocation in
            let atMs = try instant(invocation)
            return try await drive(invocation) { driver throws(ServiceError) in
                try await driver.start(at: atMs)
            }
        },
        Command(
            "clock advance", ["DURATION"], options: [timeout, skip, .json],
            summary: "Moves the virtual clock on by DURATION: 90s, 15m, 8h, 30d, 1h30m.", details: driving
        ) { invocation in
            guard let byMs = TimeSpan.milliseconds(invocation.arguments[0]) else {
                throw CommandError(
                    ExitCode.usage, "'\(invocation.arguments[0])' is no duration",
                    remedy: "Use 250ms, 90s, 15m, 8h or 30d, or several after each other as 1h30m.")
            }
            return try await drive(invocation) { driver throws(ServiceError) in
                try await driver.advance(byMs: byMs)
            }
        },
        Command(
            "clock advance-to", ["INSTANT"], options: [timeout, skip, .json],
            summary: "Moves the virtual clock on to INSTANT (RFC 3339).", details: driving
        ) { invocation in
            let atMs = try instant(invocation)
            return try await drive(invocation) { driver throws(ServiceError) in
                try await driver.advance(to: atMs)
            }
        },
        Command(
            "clock status", options: [.json],
            summary: "Which clock the system lives by, what is due next, and whether all are still."
        ) { invocation in
            let driver = try driver(invocation)
            let view = try await driver.view()
            invocation.has("--json") ? printJSON(view) : printTable(view)
            return ExitCode.ok
        },
    ]

    private static func instant(_ invocation: Invocation) throws(CommandError) -> Int64 {
        guard let atMs = Instant.milliseconds(invocation.arguments[0]) else {
            throw CommandError(
                ExitCode.usage, "'\(invocation.arguments[0])' is no instant",
                remedy: "Use RFC 3339 with an offset or Z, as 2026-03-29T00:30:00+01:00.")
        }
        return atMs
    }

    @LoopActor private static func driver(_ invocation: Invocation) throws -> ClockDriver {
        let seconds = try invocation.number("--timeout", in: 1...3_600)
        let session = try invocation.session()
        return ClockDriver(
            session.configuration, tracer: session.tracer,
            timeoutMs: seconds.map { Int64($0) * 1_000 } ?? ClockDriver.timeoutMs,
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
            Console.print("It is \(UTCTime.text(drive.nowMs)); \(drive.instants) due instants on the way.")
            return ExitCode.ok
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("now")
        writer.string(UTCTime.text(drive.nowMs))
        for (key, value) in [
            ("now_ms", drive.nowMs), ("from_ms", drive.fromMs), ("instants", Int64(drive.instants)),
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
        Console.print("\(view.isVirtual ? "virtual" : "real")  \(UTCTime.text(view.nowMs))")
        if let next = view.next {
            Console.print("next due  \(UTCTime.text(next.dueMs)), \(next.name)")
        } else {
            Console.print("next due  nothing")
        }
        guard !view.processes.isEmpty else { return Console.print("no process runs") }
        Console.print(view.isStill ? "all are still" : "not still")
        var table = TextTable(["PROCESS", "PID", "NEXT DUE", "WAITS FOR"])
        for process in view.processes {
            table.add([
                process.name, process.pid.map(String.init) ?? "-",
                process.nextDueMs.map(UTCTime.text) ?? "-", process.waitsFor.joined(separator: ", "),
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
        text("now", UTCTime.text(view.nowMs))
        integer("now_ms", view.nowMs)
        integer("next_due_ms", view.next?.dueMs)
        text("next_due_of", view.next?.name)
        writer.key("still")
        writer.boolean(view.isStill)
        writer.key("processes")
        writer.beginArray()
        for process in view.processes {
            writer.beginObject()
            text("name", process.name)
            integer("pid", process.pid)
            integer("next_due_ms", process.nextDueMs)
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
