import Bus
import CommandKit
import Contract
import Loop
import Time
import Units

/// Reads what `top` shows.
@LoopActor struct TopReading {
    let session: Session
    let params: ReportQuery.Params
    let member: String

    /// The newest events of use among which what is in use now is looked for.
    private static let eventsMax: Int64 = 1_000

    func read() async throws -> TopState {
        let report = try await ReportCommandFetch.whole(params, session)
        var state = TopState()
        state.now = WallTime.now
        state.total = Milliseconds(try await ReportCommandTable.total(report, session))
        state.apps = ReportCommandTable.ordered(report.rows).map {
            TopState.Row(name: report.names[$0.key] ?? $0.key, time: Milliseconds($0.value))
        }
        state.notes = report.notes
        state.current = report.isRunning ? try await current(report.names) : nil
        try await readShields(&state)
        return state
    }

    /// The app that has been in use since the latest instant, by what `usage.recorded` says last.
    private func current(_ names: [String: String]) async throws -> (name: String, since: Instant)? {
        guard let head = await session.head(of: .activity) else { return nil }
        let page = try await session.client(.activity).call(
            EventsRead.self,
            EventsRead.Params(after: max(0, head - Self.eventsMax), types: [UsageRecorded.type]),
            options: CallOptions())
        var open: [String: (name: String, since: Instant)] = [:]
        for raw in page.events {
            // Of use that was deleted, there is no data.
            guard let event = try? AnyEvent.decode(raw.bytes),
                let use = try? event.data?.decoded(as: UsageRecorded.self), use.kind == .app,
                use.member == member
            else { continue }
            open["\(use.device) \(use.subject)"] = use.openSince.map {
                (names[use.subject] ?? use.name ?? use.subject, $0)
            }
        }
        return open.values.max { $0.since < $1.since }
    }

    private func readShields(_ state: inout TopState) async throws {
        let shields = try await session.call(ShieldList.self, ShieldList.Params(member: member)).shields
        state.shields = shields.filter { $0.kind != .app || $0.subject != CanaryApp.id }.map { shield in
            TopState.Shield(
                name: shield.kind.readable(shield.subject),
                why: shield.reasons.map { "\($0.client) \($0.store)" }.joined(separator: ", "))
        }
        let params = ExceptionList.Params(member: member)
        state.exceptions = try await session.call(ExceptionList.self, params).exceptions.map {
            TopState.Shield(name: $0.kind.readable($0.subject), why: "until \(LocalTime.end($0.end))")
        }
    }
}
