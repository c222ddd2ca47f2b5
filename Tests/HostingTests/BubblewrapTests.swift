import Glibc
import Testing

@testable import Hosting

/// What bubblewrap alone leaves a program: where the kernel has no Landlock, nothing else is there.
@Suite struct BubblewrapTests {
    @Test func kernelsAreCompared() {
        #expect(Kernel.isAtLeast(5, 14, "5.14.0") && Kernel.isAtLeast(5, 14, "6.1.0-18-amd64"))
        #expect(Kernel.isAtLeast(5, 14, "5.15-rc1") && !Kernel.isAtLeast(5, 14, "5.10.0-28-amd64"))
        #expect(!Kernel.isAtLeast(5, 14, "4.19.0") && !Kernel.isAtLeast(5, 14, "unknown"))
    }

    @Test(arguments: ["/dev/shm/held", "/dev/held", "/dev/pts/held"])
    func nothingIsWrittenBelowDev(path: String) throws {
        let bubblewrap = "/usr/bin/bwrap"
        let inside = ["--ro-bind", "/bin/touch", "/touch", "--remount-ro", "/", "--", "/touch"]
        let command = [bubblewrap] + BubblewrapCommand.namespaces + BubblewrapCommand.base + inside
        // In most containers it does not work.
        guard access(bubblewrap, X_OK) == 0,
            ShortRun.run(command + ["--version"], deadline: 5_000).status == 0
        else { return }
        #expect(ShortRun.run(command + [path], deadline: 5_000).status != 0)
    }
}
