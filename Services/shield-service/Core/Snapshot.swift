import Contract
import Loop
package import ServiceKit

extension ShieldService {
    /// The present state as events: stores, then shields, freezes, exceptions and checks. A page token is the
    /// key of the last item, so that changes between two pages do not shift others.
    package func snapshot(_ page: String?) throws -> SnapshotPage {
        var result = SnapshotPage()
        for (token, make) in try snapshotItems() where page.map({ token > $0 }) ?? true {
            guard result.add([make()]) else { return result }
            result.nextPage = token
        }
        result.nextPage = nil
        return result
    }

    private func snapshotItems() throws -> [(String, @LoopActor () -> [UInt8])] {
        var items: [(String, @LoopActor () -> [UInt8])] = []
        for (key, stored) in repository.state.stores {
            items.append(
                (
                    "1\u{0}\(key.client)\u{0}\(key.member)\u{0}\(key.name)",
                    { [service] in
                        service.snapshotEvent(SettingsChanged(store: stored.store))
                    }
                ))
        }
        for (key, shield) in repository.state.shields {
            items.append(
                (
                    "2\u{0}\(key.member)\u{0}\(key.kind.rawValue)\u{0}\(key.subject)",
                    { [service] in
                        service.snapshotEvent(ShieldApplied(shield: shield))
                    }
                ))
        }
        for (key, freeze) in repository.freezes {
            items.append(
                (
                    "3\u{0}\(key.agent)\u{0}\(key.app)",
                    { [service] in
                        service.snapshotEvent(ShieldFrozeProcesses(freeze: freeze))
                    }
                ))
        }
        for exception in exceptions.inEffect {
            items.append(
                (
                    "4\u{0}\(exception.id)",
                    { [service] in
                        service.snapshotEvent(ExceptionBegan(exception: exception))
                    }
                ))
        }
        for result in try enforcements() {
            items.append(
                (
                    "5\u{0}\(result.agent)",
                    { [service] in service.snapshotEvent(EnforcementChanged(result: result)) }
                ))
        }
        return items.sorted { $0.0 < $1.0 }
    }
}
