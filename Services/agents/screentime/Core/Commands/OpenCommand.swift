import Bus
import CommandKit
import Contract
import Dispatch
import Foundation
import Glibc
import Loop
import Units

extension Screentime {
    static let openCommand = Command(
        "open", [Argument("PAGE", .optional, values: .words(consolePages))],
        options: [Option("--print", nil, "Only print the address.")],
        summary: "Open the console, the page with everything, in the browser.",
        details: """
            Prints an address that signs in the browser that opens it: once, and within a minute. Where there
            is a display it is opened at once, with xdg-open; the exit code is 1 if that fails. Keep the
            address to yourself.
            """
    ) { invocation in
        let session = try invocation.session()
        let page = invocation.arguments.first.map { "/\($0)" }
        let address = try await invite(session, to: page).address
        Console.print(address)
        guard !invocation.has("--print"), hasDisplay else { return ExitCode.ok }
        if let reason = openInBrowser(address) {
            Console.note("It was not opened: \(reason). Open the address yourself.")
            return ExitCode.refused
        }
        return ExitCode.ok
    }

    private static let consolePages = [
        "today", "reports", "downtime", "limits", "requests", "apps", "habits", "worklog", "encouragement",
        "bus", "welcome",
    ]

    /// How long a console that systemd starts for this may take, and how long xdg-open is waited for.
    private static let start: Milliseconds = 5_000

    @LoopActor private static func invite(
        _ session: Session, to page: String?
    ) async throws -> ConsoleOpen.Result {
        let name = AgentName.console
        guard session.somebodyListens(at: name) || wakeConsole() else { throw session.silence(of: name) }
        return try await session.client(named: name).call(
            ConsoleOpen.self, ConsoleOpen.Params(page: page), options: CallOptions(deadline: start))
    }

    /// Connects to the console's port, where systemd may listen for it.
    /// - Returns: false if nobody listens there.
    private static func wakeConsole() -> Bool {
        let port = ProcessInfo.processInfo.environment["SCREENTIME_CONSOLE_PORT"].flatMap { UInt16($0) }
        guard port != 0 else { return false }
        let wake = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard wake >= 0 else { return false }
        defer { close(wake) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (port ?? ConsoleAddress.port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(wake, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { ProcessInfo.processInfo.environment[$0]?.isEmpty == false }
    }

    /// - Returns: why it was not opened; nil if it was.
    private static func openInBrowser(_ address: String) -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        do { try process.run() } catch { return "xdg-open cannot be started" }
        // Without a desktop environment it becomes the browser, and stays.
        guard end.wait(timeout: .now() + .milliseconds(Int(start.count))) == .success else { return nil }
        return process.terminationStatus == 0 ? nil : "xdg-open ended with \(process.terminationStatus)"
    }
}
