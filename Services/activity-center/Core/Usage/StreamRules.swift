import Loop
import Rules
import Store
import Units

/// Applies observations to a stream's machine, in order or again from a checkpoint.
@LoopActor struct StreamRules {
    let stream: Stream
    let observations: ObservationTable

    /// Applies new observations, which are already stored. They must be sorted.
    func apply(_ fresh: [Entry]) throws -> UsageDelta {
        guard let first = fresh.first else { return UsageDelta() }
        let placeholders = try observations.placeholders(for: fresh, of: stream.id)
        if let last = stream.last, first < last || !placeholders.isEmpty {
            return try recompute(fresh, in: placeholders, from: first.row.order)
        }
        return UsageDelta(added: try append(fresh))
    }

    /// Replaces stored observations by others, which are already stored. Both must be sorted.
    func replace(_ former: [Entry], by fresh: [Entry]) throws -> UsageDelta {
        guard let first = (former.prefix(1) + fresh.prefix(1)).min() else { return UsageDelta() }
        let delta = try recompute(fresh, in: former, from: first.row.order)
        stream.last = try observations.last(of: stream.id)
        return delta
    }

    // MARK: in order

    private func append(_ fresh: [Entry]) throws(StoreError) -> UsageOutput {
        var output = UsageOutput()
        for entry in fresh {
            if stream.sinceCheckpoint >= ObservationTable.checkpointEvery,
                let last = stream.last, last.row.order < entry.row.order
            {
                let machine = stream.machine.encoded()
                try observations.save(.init(before: entry.row.order, machine: machine), of: stream.id)
                stream.sinceCheckpoint = 0
            }
            stream.machine.apply(entry.change, &output)
            stream.sinceCheckpoint += 1
            stream.last = entry
        }
        return output
    }

    // MARK: late

    /// Number of observations between checks whether both machines are equal.
    private static let meetingEvery = 16

    /// Repeats the observations from before the earliest new one, once without and once with the new ones,
    /// until both machines are equal: after that nothing can differ.
    /// - Parameters:
    ///   - placeholders: the observations that are replaced; sorted.
    ///   - first: position of the first of both.
    private func recompute(
        _ fresh: [Entry], in placeholders: [Entry], from first: Instant
    ) throws -> UsageDelta {
        let checkpoint = try observations.checkpoint(of: stream.id, until: first)
        var left = Set(placeholders.map(\.row))
        let start = checkpoint?.before ?? .min
        let before = try checkpoint.map { try UsageMachine(decoding: $0.machine) }
        var run = Replay(machine: before ?? UsageMachine())
        var met = false
        try observations.forEach(of: stream.id, from: start) { entry in
            if left.remove(entry.row) != nil {
                run.leave(entry)
                return true
            }
            let isFresh = run.applied < fresh.count && fresh[run.applied] == entry
            run.apply(entry, isFresh: isFresh)
            met =
                run.applied == fresh.count && left.isEmpty && run.count % Self.meetingEvery == 0
                && run.machinesAreEqual
            return !met
        }
        try observations.remove(placeholders, of: stream.id)
        if let through = run.last {
            try observations.replaceCheckpoints(
                of: stream.id, after: start, through: through.row.order, by: run.checkpoints)
        }
        if !met {
            stream.machine = run.machine
            stream.last = run.last
            stream.sinceCheckpoint = run.sinceCheckpoint
        }
        return UsageDelta(from: run.oldOutput, to: run.output)
    }
}

extension UsageDelta {
    init(added: UsageOutput) { self.added = added }
}

/// Two machines over the same observations; one does not receive the new ones.
private struct Replay {
    private(set) var machine: UsageMachine
    /// Nil before the first new observation: both are equal.
    private var oldMachine: UsageMachine?
    private(set) var output = UsageOutput()
    private(set) var oldOutput = UsageOutput()
    /// Number of new observations so far.
    private(set) var applied = 0
    private(set) var count = 0
    private(set) var sinceCheckpoint = 0
    private(set) var last: Entry?
    private(set) var checkpoints: [ObservationTable.Checkpoint] = []

    init(machine: UsageMachine) { self.machine = machine }

    var machinesAreEqual: Bool { oldMachine == machine }

    /// Separates the two machines; before, they are equal.
    private mutating func part() {
        guard oldMachine == nil else { return }
        oldMachine = machine
        output = UsageOutput()
    }

    /// Applies an observation that is replaced, to the old machine only.
    mutating func leave(_ entry: Entry) {
        part()
        oldMachine?.apply(entry.change, &oldOutput)
    }

    mutating func apply(_ entry: Entry, isFresh: Bool) {
        if sinceCheckpoint >= ObservationTable.checkpointEvery, let last,
            last.row.order < entry.row.order
        {
            checkpoints.append(.init(before: entry.row.order, machine: machine.encoded()))
            sinceCheckpoint = 0
        }
        if isFresh {
            part()
            applied += 1
        } else {
            oldMachine?.apply(entry.change, &oldOutput)
        }
        machine.apply(entry.change, &output)
        count += 1
        sinceCheckpoint += 1
        last = entry
    }
}
