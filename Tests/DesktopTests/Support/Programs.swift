import Glibc

@testable import DesktopCore

/// The scripts that tests run.
enum Programs {
    /// Writes 1, 2, 3 … into a file, one line and one write each; ends by itself.
    static let counter = """
        #!/bin/sh
        i=0
        while [ $i -lt 3000000 ]; do i=$((i+1)); echo $i; done >"$1"
        """

    /// A counter, and beside it one in a session of its own whose maker ends at once.
    static let counterWithDaemon = """
        #!/bin/sh
        setsid -f sh "$1/counter.sh" "$1/daemon.txt"
        exec sh "$1/counter.sh" "$1/front.txt"
        """

    /// Forks and ends, again and again: its id is never the same for long. Ends by itself.
    static let comet = """
        $| = 1; open(F, ">>", $ARGV[0]); syswrite(F, "x");
        for (1 .. 20000) { my $p = fork(); exit 0 if $p; syswrite(F, "x"); }
        """

    /// Forks children that wait for the end of a pipe, as fast as possible; exits when its parent asks it to.
    static let breeder = """
        pipe(R, W); for (1 .. 300) { my $p = fork(); if (!$p) { close(W); sysread(R, my $x, 1); exit 0; } }
        open(F, ">", $ARGV[0]); close(F); sleep 1000;
        """

    /// The whole lines of a counter's file are 1, 2, 3 … without a gap and without a repeat. The last line
    /// may be half written: a write that crosses a page of the file is seen in two parts.
    static func isGapless(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return !lines.isEmpty && lines.enumerated().allSatisfy { String($0.offset + 1) == $0.element }
    }
}

/// Ends every process of an app when the test is over, also those that left their parents.
final class Cleanup {
    private let tree: ProcessTree
    private let roots: Set<ProcessIdentity>

    init(_ tree: ProcessTree, _ roots: Set<ProcessIdentity>) {
        (self.tree, self.roots) = (tree, roots)
        tree.track(roots)
    }

    deinit {
        for record in tree.members(of: roots) { _ = ProcessHandle.send(SIGKILL, to: record.identity) }
    }
}

func identity(of child: Child) throws -> ProcessIdentity {
    try eventually("process \(child.pid)") { ProcessIdentity(livingPid: child.pid) }
}

func state(_ identity: ProcessIdentity) -> Character {
    ProcessRecord(pid: identity.pid).map { Character(Unicode.Scalar($0.state)) } ?? "-"
}
