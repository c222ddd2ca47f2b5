import CommandKit
import Contract
import Hosting
import Loop

/// `doctor --deep`: whether what extensions run from is what was installed, and whether what they are started
/// with is there.
enum BundleChecks {
    private static let hosts: [ServiceName] = [.monitor, .shield, .report]

    @LoopActor static func all(_ session: Session) async -> [Finding] {
        guard session.somebodyListens(at: .monitor) else { return [] }
        let check = "installed extensions"
        do {
            let programs = try await session.call(ExtensionList.self, Nothing()).extensions
            let store = try BundleStore(session.configuration)
            var findings: [Finding] = []
            for program in programs where program.hash != nil {
                do throws(ServiceError) { try store.verify(program) } catch {
                    findings.append(.error("extension \(program.id)", error.message, error.remedy))
                }
            }
            findings += HostFilesCheck(session.configuration, hosts: hosts, programs).findings.map {
                .error(check, $0.message, $0.remedy)
            }
            guard findings.isEmpty, !programs.isEmpty else { return findings }
            return [.ok(check, "\(programs.count) are as they were installed, with their files")]
        } catch {
            let error = CommandError(anything: error)
            return [.error(check, "could not be checked: \(error.message)", error.remedy)]
        }
    }
}
