import CommandKit
import Contract
import Glibc
import JSON
import Loop
import Units

extension Screentime {
    static let extensionCommands = [
        Command(
            "extension install", [.directory("DIRECTORY")],
            options: [
                Option(
                    "--client", "APP", "Bundle id of the host app; default: the extension's, without its end."
                ),
                Option(
                    "--without-bubblewrap", nil,
                    "Let it run where bubblewrap does not work, confined by Landlock and seccomp alone."),
                .json,
            ],
            summary: "Install an extension from its bundle directory.",
            details: """
                The directory has Info.plist and the program. The program runs once, confined, and reports
                what it serves: a wrong class or extension point is an error here. Install it again for a
                new build.
                """, action: installExtension),
        Command(
            "extension list", options: [.json], summary: "List the installed extensions and their state."
        ) { invocation in
            let result = try await invocation.session().call(ExtensionList.self, Nothing())
            if invocation.has("--json") {
                Console.print(result.encoded())
                return ExitCode.ok
            }
            var table = TextTable([
                "EXTENSION", "APP", "FOR", "STATE", "LAST CALLBACK", "MEMORY", "PROCESSOR",
            ])
            for program in result.extensions { table.add(ExtensionText.row(program)) }
            table.printAll()
            return ExitCode.ok
        },
        Command(
            "extension show", ["EXTENSION"], options: [.json],
            summary: "Show one extension: its budget, what it used, how it is confined, why it last failed."
        ) { invocation in
            let program = try await installed(invocation)
            if invocation.has("--json") {
                Console.print(program.encoded())
            } else {
                for line in ExtensionText.lines(program) { Console.print(line) }
            }
            return ExitCode.ok
        },
        Command(
            "extension remove", ["EXTENSION"],
            summary: "Remove an extension, its process and its files."
        ) {
            invocation in
            _ = try await invocation.session().call(
                ExtensionRemove.self, ExtensionRemove.Params(id: invocation.arguments[0]))
            return ExitCode.ok
        },
        Command(
            "extension run-once",
            ["EXTENSION", Argument("CALLBACK", values: .suggestions(of: CallbackName.self))],
            options: [
                Option("--activity", "NAME", "The callback's activity; default: test."),
                Option("--event", "NAME", "The callback's event; default for callbacks of events: test."),
                .json,
            ],
            summary: "Run one callback now, outside of any schedule, and show the result.",
            details: """
                CALLBACK is intervalDidStart, intervalDidEnd, eventDidReachThreshold,
                intervalWillStartWarning, intervalWillEndWarning or eventWillReachThresholdWarning. It runs
                in a process of its own, and its writes take effect. Exit code 0: it returned; 1: it failed.
                """, action: runOnce),
    ]

    @LoopActor private static func installExtension(_ invocation: Invocation) async throws -> Int32 {
        guard let resolved = realpath(invocation.arguments[0], nil) else {
            throw CommandError(
                ExitCode.noInput,
                "there is no '\(invocation.arguments[0])' (\(String(cString: strerror(errno))))",
                remedy: "Give the bundle's directory.")
        }
        defer { free(resolved) }
        let path = String(cString: resolved)
        let result = try await invocation.session().call(
            ExtensionInstall.self,
            ExtensionInstall.Params(
                path: path, client: invocation.value("--client"),
                withoutBubblewrap: invocation.has("--without-bubblewrap") ? true : nil),
            deadline: installDeadline)
        if invocation.has("--json") {
            Console.print(result.encoded())
        } else {
            Console.print("Installed \(result.program.id) for \(result.program.client).")
            for missing in result.program.unconfined ?? [] { Console.note("Not applied: \(missing)") }
        }
        return ExitCode.ok
    }

    /// Milliseconds a program may take to start and say what it serves, with room.
    private static let installDeadline: Milliseconds = 30_000
    /// Milliseconds the longest callback may take, with room.
    private static let runDeadline: Milliseconds = 330_000

    @LoopActor private static func installed(_ invocation: Invocation) async throws -> ExtensionRecord {
        let id = invocation.arguments[0]
        let known = try await invocation.session().call(ExtensionList.self, Nothing()).extensions
        guard let program = known.first(where: { $0.id == id }) else {
            let ids = known.map(\.id).joined(separator: ", ")
            throw CommandError(
                ExitCode.refused, "there is no extension '\(id)'",
                remedy: ids.isEmpty ? "Install it with `screentime extension install`." : "There are \(ids).")
        }
        return program
    }

    @LoopActor private static func runOnce(_ invocation: Invocation) async throws -> Int32 {
        guard let callback = CallbackName(rawValue: invocation.arguments[1]) else {
            let names = CallbackName.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError(
                ExitCode.usage, "'\(invocation.arguments[1])' is no callback", remedy: "Use \(names).")
        }
        let isOfEvent = callback == .eventDidReachThreshold || callback == .eventWillReachThresholdWarning
        let params = ExtensionRun.Params(
            id: invocation.arguments[0], callback: callback,
            activity: invocation.value("--activity") ?? "test",
            event: invocation.value("--event") ?? (isOfEvent ? "test" : nil))
        let result = try await invocation.session().call(ExtensionRun.self, params, deadline: runDeadline)
        if invocation.has("--json") {
            Console.print(result.encoded())
        } else {
            for line in result.output { Console.print(line) }
            if let measured = result.measured { Console.print(ExtensionText.measure(measured)) }
            Console.print(result.error.map { "It failed: \($0)" } ?? "It returned.")
        }
        return result.error == nil ? ExitCode.ok : ExitCode.refused
    }
}

/// Extensions as a person reads them.
enum ExtensionText {
    static func row(_ program: ExtensionRecord) -> [String] {
        let state =
            if let pid = program.pid, program.running {
                "running, pid \(pid)"
            } else if let failures = program.failures, failures > 0 {
                "failed \(failures) times"
            } else {
                "at rest"
            }
        let measured = program.measured
        return [
            program.id, program.client, point(program.point), state,
            measured.map { "\($0.callback) \($0.took) ms" } ?? "-",
            measured?.memoryBytes.map(mebibytes) ?? "-",
            measured?.processor.map { "\($0) ms" } ?? "-",
        ]
    }

    static func lines(_ program: ExtensionRecord) -> [String] {
        var lines = [
            "extension    \(program.id)" + (program.name.map { " (\($0))" } ?? ""),
            "app          \(program.client)", "for          \(point(program.point))",
            "bundle       \(program.path)",
        ]
        if let source = program.source { lines.append("copied from  \(source)") }
        if let hash = program.hash { lines.append("hash         \(hash)") }
        if let principal = program.principalClass { lines.append("class        \(principal)") }
        if let groups = program.groups, !groups.isEmpty {
            lines.append("app groups   \(groups.joined(separator: ", "))")
        }
        if let budget = program.budget {
            lines.append(
                "may take     \(mebibytes(budget.memoryBytes)), "
                    + "\(budget.callback / .second) s per callback, "
                    + "\(budget.processor / .second) s of processor")
        }
        if let measured = program.measured { lines.append("last took    " + measure(measured)) }
        lines.append(
            "state        " + row(program)[3] + (program.starts.map { ", started \($0) times" } ?? ""))
        if let restart = program.restart { lines.append("not before   \(LocalTime.end(restart))") }
        if let error = program.lastError { lines.append("last failed  \(InstantReading.inOwnTime(error))") }
        if program.withoutBubblewrap == true { lines.append("allowed      without bubblewrap") }
        lines.append("confined by  \((program.confinement ?? []).joined(separator: ", "))")
        for missing in program.unconfined ?? [] { lines.append("not applied  \(missing)") }
        return lines
    }

    static func measure(_ measured: ExtensionMeasure) -> String {
        var parts = ["\(measured.callback) took \(measured.took) ms"]
        if let start = measured.start { parts.append("its start \(start) ms") }
        if let processor = measured.processor { parts.append("\(processor) ms of processor") }
        if let memory = measured.memoryBytes { parts.append("\(mebibytes(memory)) of memory") }
        return parts.joined(separator: ", ")
    }

    private static func mebibytes(_ bytes: Int64) -> String {
        let tenths = (bytes * 10 + (1 << 19)) >> 20
        return "\(tenths / 10).\(tenths % 10) MiB"
    }

    private static func point(_ point: ExtensionPoint) -> String {
        switch point {
        case .monitor: "monitor"
        case .shieldConfiguration: "shield configuration"
        case .shieldAction: "shield action"
        case .report: "report"
        }
    }
}
