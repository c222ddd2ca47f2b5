import Contract
import Hosting
import ServiceKit

extension MonitorService {
    /// Reports installed extensions without a program to run, for example after a restore of stores that are
    /// older than the copies. Otherwise nobody would notice before their next callback fails.
    func reportLostCopies() {
        var lost: Set<String> = []
        for program in records where service.degradedBy("built-in.\(program.id)") == nil {
            do throws(ServiceError) { try host.runner.find(program) } catch {
                lost.insert(program.id)
                service.setNotActing(
                    Self.lostKey(program.id),
                    "'\(program.id)' of \(program.client) has no program: \(error.message) "
                        + "(\(Self.remedy(program)))")
            }
        }
        for id in lostCopies.subtracting(lost) { service.setNotActing(Self.lostKey(id), nil) }
        lostCopies = lost
    }

    /// Reported until the next start, because a restore stops all services.
    func reportUnfinishedRestore() {
        let state = service.configuration.stateDirectory
        guard let backup = UnfinishedRestore(stateDirectory: state).backup else { return }
        let command = "screentime restore \(VisibleText.shellWord(backup))"
        service.setNotActing(
            "restore",
            "a restore of '\(backup)' was interrupted: stores and rules of apps may not match (stop all "
                + "services, then say `\(command)`)")
    }

    private static func lostKey(_ id: String) -> String { "copy.\(id)" }

    private static func remedy(_ program: ExtensionRecord) -> String {
        let remove = "`screentime extension remove \(VisibleText.shellWord(program.id))`"
        guard program.source != nil else { return "Install \(program.client) again, or say \(remove)." }
        return "Install it again from where it was: `\(install(program))`. Or remove it: \(remove)."
    }
}
