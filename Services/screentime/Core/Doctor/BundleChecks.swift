import Bus
import Contract
import Hosting

/// `doctor --deep`: whether the copies that extensions run from are what was installed.
enum BundleChecks {
    @BusActor static func all(_ session: Session) async -> [Finding] {
        guard session.somebodyListens(at: .monitor) else { return [] }
        let check = "installed extensions"
        do {
            let all = try await session.call(ExtensionList.self, Nothing()).extensions
            let programs = all.filter { $0.hash != nil }
            guard !programs.isEmpty else { return [] }
            let store = try BundleStore(session.configuration)
            var findings: [Finding] = []
            for program in programs {
                do throws(ServiceError) { try store.verify(program) } catch {
                    findings.append(.error("extension \(program.id)", error.message, error.remedy))
                }
            }
            return findings.isEmpty ? [.ok(check, "\(programs.count) are as they were installed")] : findings
        } catch {
            let error = CommandError(anything: error)
            return [.error(check, "could not be checked: \(error.message)", error.remedy)]
        }
    }
}
