package import Contract
internal import ExtensionLink

extension ExtensionHosting {
    /// The identity of a program, the answer to its first request.
    /// - Parameter files: the files of the process.
    func hello(_ program: ExtensionRecord, _ files: ProcessFiles) -> Hello.Answer {
        var answer = Hello.Answer()
        answer.client = program.client
        answer.program = program.id
        answer.point = program.point
        answer.member = service.member(nil)
        answer.bundlePath = realPath(program.path) ?? program.path
        answer.containerPath = files.home
        answer.dataAccess = program.dataAccess
        answer.groups = files.groups
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
