package import Contract
import Glibc

/// The confinement of extension programs on this machine: bubblewrap around them where it works, Landlock and
/// seccomp inside. Determined once, by trying.
package struct Confinement: Sendable {
    /// `extension-launcher`.
    let launcher: String
    /// `libscreentime-program.so`, preloaded into every program.
    let library: String
    /// `libscreentime-frameworks.so`, which the built-in apps' programs load where they are installed; nil in
    /// a build, whose programs contain it.
    let frameworks: String?
    /// Path of bubblewrap; nil if it does not work here.
    let bubblewrap: String?
    /// `bubblewrap`, `landlock 7`, `seccomp`.
    package let applied: [String]
    /// Confinement that could not be applied, with the reason and what to do.
    package let missing: [String]

    /// A program that is not built in needs the person's permission to run without bubblewrap.
    /// - Throws: `accessDenied` with the command that gives it.
    func check(_ program: ExtensionRecord) throws(ServiceError) {
        guard bubblewrap == nil, program.withoutBubblewrap != true else { return }
        let reason = missing.first { $0.hasPrefix("bubblewrap:") } ?? "bubblewrap: it does not work here"
        let path = (program.source ?? program.path).split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''")
        throw ServiceError(
            .accessDenied,
            "'\(program.id)' runs without bubblewrap only if you allow it: `screentime extension install "
                + "'\(path)' --client \(program.client) --without-bubblewrap`",
            remedy: "Landlock and seccomp alone hide less from it, such as which files there are; rather "
                + "make bubblewrap work (\(reason)).")
    }

    /// Starts both, to determine what works here.
    /// - Parameter bubblewrapPath: expected path of bubblewrap.
    /// - Throws: `unavailable` if the launcher is not installed, which every program needs.
    package static func probe(_ bubblewrapPath: String) throws(ServiceError) -> Confinement {
        let launcher = try Programs.find("extension-launcher", purpose: "extensions are started by it")
        let library = try Programs.find("libscreentime-program.so", purpose: "extensions are started with it")
        let frameworks = try Programs.findIfInstalled("libscreentime-frameworks.so")
        let inside =
            BubblewrapCommand.namespaces + BubblewrapCommand.base
            + ["--ro-bind", launcher, launcher, "--", launcher, "--probe"]
        var missing: [String] = []
        if access(bubblewrapPath, X_OK) == 0 {
            let tried = ShortRun.run([bubblewrapPath] + inside, deadline: HostingLimits.probe)
            if tried.status == 0 {
                return Confinement(
                    launcher: launcher, library: library, frameworks: frameworks, bubblewrap: bubblewrapPath,
                    applied: ["bubblewrap"] + tried.lines.filter { !$0.hasPrefix("!") },
                    missing: tried.lines.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) })
            }
            let reason = tried.lines.last ?? "it ended with code \(tried.status)"
            missing = [
                "bubblewrap: \(reason); allow user namespaces (sysctl user.max_user_namespaces, "
                    + "kernel.apparmor_restrict_unprivileged_userns=0)"
            ]
        } else {
            missing = ["bubblewrap: there is no \(bubblewrapPath); install the package bubblewrap"]
        }
        let user = ProgramUser.needed(isInBubblewrap: false).map { ["--user", String($0)] } ?? []
        let plain = ShortRun.run([launcher, "--probe"] + user, deadline: HostingLimits.probe)
        missing += plain.lines.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        if plain.status != 0 { missing.append("extension-launcher: it ended with code \(plain.status)") }
        return Confinement(
            launcher: launcher, library: library, frameworks: frameworks, bubblewrap: nil,
            applied: plain.lines.filter { !$0.hasPrefix("!") }, missing: missing)
    }
}
