import Bus
import Contract
import Foundation
import JSON
import TestSupport
import Testing

private let container = [
    "/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--mount-proc",
]

/// In a container with process ids of its own.
@Suite("containers", .enabled(if: World.succeeds(container + ["true"]), "no pid namespace may be made here"))
struct ContainerTests {
    /// The kernel confirms nothing there, but what it reports to others comes in, with ids that mean nothing.
    @Test(.enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
    func whatTheKernelReportsToOthersIsNoConfirmation() async throws {
        try await World.withDesktop([], agent: false) { world in
            let listening = try world.launch("listener", ["/usr/bin/python3", "-c", Self.listener])
            _ = try await listening.line("listening")
            _ = try world.launch("forks", ["/bin/sh", "-c", "while :; do /bin/true; done"])
            let agent = try world.launch(
                "desktop-agent", container + [World.products + "/desktop-agent"])
            _ = try await agent.line("READY")
            let problems = try await world.agentHealth().degradedBy
            let expected = "does not confirm that it reports forks"
            #expect(problems.contains { $0.contains(expected) }, "\(problems)")
            agent.signal(SIGKILL)
        }
    }

    @Test func doctorSaysThatForksAreNotReported() async throws {
        try await World.with([]) { world in
            let (_, lines) = try await world.run(
                "doctor", container + [World.products + "/screentime", "doctor"])
            #expect(
                lines.contains { $0.contains("process events") && $0.contains("process ids of its own") },
                "\(lines)")
        }
    }

    /// Whoever else asked the kernel for process events.
    private static let listener = """
        import os, socket, struct
        s = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 11)
        s.bind((os.getpid(), 1))
        s.send(struct.pack("=IHHII", 40, 3, 0, 0, os.getpid()) + struct.pack("=IIIIHHI", 1, 1, 0, 0, 4, 0, 1))
        s.recv(256)
        print("listening", flush=True)
        while True:
            s.recv(256)
        """
}
