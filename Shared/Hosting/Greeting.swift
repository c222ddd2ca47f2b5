package import Contract
internal import ExtensionLink

extension ExtensionHosting {
    /// Who a program is, as it is told at its first request.
    func hello(_ program: ExtensionRecord) -> Hello.Answer {
        var answer = Hello.Answer()
        answer.client = program.client
        answer.program = program.id
        answer.point = program.point
        answer.member = service.member(nil)
        answer.bundlePath = realPath(program.path) ?? program.path
        answer.containerPath = files.container(program.id)
        answer.dataAccess = program.dataAccess
        if program.point.groupUse != .none {
            let writable = program.point.groupUse == .write
            answer.groups = (program.groups ?? []).map {
                AppGroup(id: $0, path: files.group($0), writable: writable)
            }
        }
        return answer
    }
}

extension ExtensionRecord {
    /// Takes over how it runs, as its host says; what it was installed with stays.
    package mutating func takeState(_ state: ExtensionRecord) {
        running = state.running
        pid = state.pid
        lastError = state.lastError
        measured = state.measured
        starts = state.starts
        failures = state.failures
        restartMs = state.restartMs
        confinement = state.confinement
        unconfined = state.unconfined
    }
}
