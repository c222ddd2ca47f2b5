import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing
import TestSupport

private let container = [
    "/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--mount-proc",
]

private let network = ["/usr/bin/unshare", "--net", "--fork", "--kill-child"]
private let users = ["/usr/bin/unshare", "--user", "--map-root-user"]

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
            let expected = "did not confirm that it reports forks"
            #expect(problems.contains { $0.contains(expected) }, "\(problems)")
            try await Self.expectThatDoctorSays(expected, world)
            agent.signal(SIGKILL)
        }
    }

    /// A doctor with all rights reports what the agent lacks.
    @LoopActor private static func expectThatDoctorSays(_ expected: String, _ world: World) async throws {
        let lines = try await world.command("doctor").lines
        let ofAgent = lines.filter { $0.hasPrefix("warning  desktop-agent: ") }
        #expect(ofAgent.contains { $0.contains(expected) }, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("ok       process events") }, "\(lines)")
    }

    /// The host's process ids alone are not enough: the kernel answers in the first network namespace only.
    @Test(
        .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"),
        .enabled(if: World.succeeds(network + ["true"]), "no network namespace may be made here"))
    func anAgentWithANetworkOfItsOwnSaysWhatItNeeds() async throws {
        try await World.withDesktop([], agent: false) { world in
            let agent = try world.launch("desktop-agent", network + [World.products + "/desktop-agent"])
            _ = try await agent.line("READY")
            let problems = try await world.agentHealth().degradedBy
            let expected = "a network of its own"
            #expect(problems.contains { $0.contains(expected) && Self.namesTheRemedy($0) }, "\(problems)")
            #expect(!problems.contains { $0.contains("CAP_NET_ADMIN") }, "\(problems)")
            try await Self.expectThatDoctorSays(expected, world)
            agent.signal(SIGKILL)
        }
    }

    @Test(.enabled(if: World.succeeds(network + ["true"]), "no network namespace may be made here"))
    func doctorSeesANetworkOfItsOwn() async throws {
        try await Self.expectDoctor(within: network, toSay: "a network of its own")
    }

    @Test(.enabled(if: World.succeeds(users + ["true"]), "no user namespace may be made here"))
    func doctorSeesUserIdsOfItsOwn() async throws {
        try await Self.expectDoctor(within: users, toSay: "user ids of its own")
    }

    @LoopActor private static func expectDoctor(
        within namespace: [String], toSay reason: String
    ) async throws {
        try await World.with([]) { world in
            let (_, lines) = try await world.run(
                "doctor", namespace + [World.products + "/screentime", "doctor"])
            let place = try #require(lines.firstIndex { $0.contains("process events") })
            #expect(lines[place].hasPrefix("warning") && lines[place].contains(reason), "\(lines[place])")
            #expect(namesTheRemedy(lines[place + 1]), "\(lines[place + 1])")
        }
    }

    private static func namesTheRemedy(_ text: String) -> Bool {
        text.contains("the host's process ids, network and user ids")
    }

    @Test func doctorSaysThatForksAreNotReported() async throws {
        try await Self.expectDoctor(within: container, toSay: "process ids of its own")
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
