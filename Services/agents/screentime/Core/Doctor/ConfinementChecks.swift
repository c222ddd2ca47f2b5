import Contract
import Loop

/// What confines extension programs on this machine, as their hosts found out.
enum ConfinementChecks {
    @LoopActor static func all(_ session: Session) async -> [Finding] {
        let check = "confinement"
        guard session.somebodyListens(at: .monitor) else { return [] }
        do throws(ServiceError) {
            let extensions = try await session.call(ExtensionList.self, Nothing()).extensions
            var missing: [String] = []
            for one in extensions.flatMap({ $0.unconfined ?? [] }) where !missing.contains(one) {
                missing.append(one)
            }
            let applied = extensions.lazy.compactMap(\.confinement).first { !$0.isEmpty } ?? []
            var findings = missing.map { one in
                let parts = one.split(separator: ";", maxSplits: 1).map(String.init)
                return Finding.warning(
                    check, "extensions run without \(parts[0])",
                    parts.count > 1
                        ? "To confine them better,\(parts[1])." : "See `screentime extension show`.")
            }
            if !applied.isEmpty {
                findings.append(.ok(check, "extensions are confined by \(applied.joined(separator: ", "))"))
            }
            return findings
        } catch {
            return [.warning(check, "what confines extensions is not known: \(error.message)", error.remedy)]
        }
    }
}
