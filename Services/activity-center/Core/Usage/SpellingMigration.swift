import Loop
import Rules
import ServiceKit
import Store

/// Converts domains that an older version stored in another spelling to the present one
/// (`DomainName.spelling`): their observations are replaced by equal ones with the right name, and their
/// intervals are computed again. The store is then as if it had received that spelling, and followers receive
/// the difference.
@LoopActor struct SpellingMigration {
    let log: UsageLog

    /// At the start. Does nothing if the store has no other spelling.
    func run(_ transaction: Transaction) throws {
        let old = try log.subjects.unspelt()
        guard !old.isEmpty else { return }
        log.service.log.info("converting domains to one spelling", [("domains", .number(Int64(old.count)))])
        log.willChange(transaction)
        for stream in try log.streams.all() { try respell(stream, old, transaction) }
        _ = try UseRemoval(log.service.database, log).sweep()
    }

    private func respell(_ stream: Stream, _ old: [Int64: Subject], _ transaction: Transaction) throws {
        var former: [Entry] = []
        try log.observations.forEach(of: stream.id, from: .min) { entry in
            if old[entry.row.first] != nil { former.append(entry) }
            return true
        }
        guard !former.isEmpty else { return }
        let respelt = try former.compactMap { entry in
            try old[entry.row.first].map { try self.entry(entry, named: $0) }
        }
        let before = stream.tail
        // An observation stored in two spellings becomes one.
        let fresh = try log.observations.insert(respelt.sorted(), into: stream.id)
        let delta = try StreamRules(stream: stream, observations: log.observations)
            .replace(former, by: fresh)
        try log.streams.save(stream)
        try log.recorder.record(delta, of: stream, before: before, transaction)
        try log.onChange?(StreamChange(stream: stream, delta: delta, renamed: []), transaction)
    }

    private func entry(_ entry: Entry, named subject: Subject) throws -> Entry {
        var row = entry.row
        row.first = try log.subjects.id(subject)
        let change = entry.change
        return Entry(
            row: row,
            change: UsageChange(
                at: change.at, ordinal: change.ordinal, boot: change.boot,
                change.kind.about(subject.id)))
    }
}

extension UsageChange.Kind {
    /// The same change with another host.
    fileprivate func about(_ host: String) -> Self {
        switch self {
        case .opened(_, let instance): .opened(.domain(host), instance: instance)
        case .closed(_, let instance): .closed(.domain(host), instance: instance)
        case .notification: .notification(.domain(host))
        case .domain(_, let browser): .domain(host, browser: browser)
        case .visit: .visit(host)
        default: self
        }
    }
}
