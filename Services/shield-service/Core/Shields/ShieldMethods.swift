import Contract
import ServiceKit
internal import Store

extension ShieldService {
    func answerShields() {
        service.read(ShieldList.self) { [self] params, context in
            let state = repository.seen(by: context.client)
            let shields = state.shields.filter { params.member == nil || params.member == $0.key.member }
            return ShieldList.Result(
                shields: shields.sorted { $0.key < $1.key }.map(\.value),
                sequence: try service.eventLog.head(), epoch: service.eventLog.epoch)
        }
    }

    func answerFreezes() {
        service.write(ShieldFreeze.self) { [self] params, _, transaction in
            try check(params)
            let key = FreezeKey(agent: params.agent, app: params.app)
            let freeze = Freeze(
                agent: params.agent, app: params.app, processes: params.processes,
                since: repository.freezes[key]?.since ?? service.clock.now)
            let isNew = repository.freezes[key] != freeze
            let isKnown = repository.freezes[key] != nil || !freeze.processes.isEmpty
            if isNew, isKnown { try repository.record(freeze, transaction) }
            return try transaction.written()
        }
        service.read(ShieldFrozen.self) { [self] params, _ in
            let freezes = repository.freezes.filter { params.agent == nil || params.agent == $0.key.agent }
            return ShieldFrozen.Result(freezes: freezes.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    private func check(_ params: ShieldFreeze.Params) throws {
        try VisibleText.checkName(params.agent, "'agent'")
        try VisibleText.checkName(params.app, "'app'")
        guard params.processes.count <= ShieldLimits.processesPerFreezeMax else {
            throw ServiceError(
                .limitExceeded,
                "a freeze of \(params.processes.count) processes; processesPerFreezeMax is "
                    + "\(ShieldLimits.processesPerFreezeMax)",
                remedy: "Freeze a part of them.")
        }
        // Process 1 is init, and kill(2) takes 0 and below as groups. An agent that thaws must not find them
        // here.
        guard params.processes.allSatisfy({ $0.pid > 1 && $0.pid <= Int64(Int32.max) && $0.startTime >= 0 })
        else {
            throw ServiceError(
                .invalidParams, "a process of the freeze has no valid pid or start_time",
                remedy: "Name each process by its pid (2 or more) and field 22 of /proc/PID/stat.")
        }
    }
}
