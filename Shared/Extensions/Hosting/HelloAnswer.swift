package import Contract
internal import ExtensionLink

extension ExtensionHosting {
    /// The identity of a program, the answer to its first request.
    func hello(_ program: ExtensionRecord, _ running: any RunningProgram) -> Hello.Answer {
        var answer = Hello.Answer()
        answer.client = program.client
        answer.program = program.id
        answer.point = program.point
        answer.member = service.member(nil)
        answer.bundlePath = realPath(program.path) ?? program.path
        answer.containerPath = running.home
        answer.dataAccess = program.dataAccess
        answer.groups = running.groups
        return answer
    }
}

extension ExtensionRecord {
    /// Applies the process state that its host reports; what installation set is unchanged.
    package mutating func applyState(_ state: ExtensionRecord) {
        running = state.running
        pid = state.pid
        lastError = state.lastError
        measured = state.measured
        starts = state.starts
        failures = state.failures
        restart = state.restart
        confinement = state.confinement
        unconfined = state.unconfined
    }
}
