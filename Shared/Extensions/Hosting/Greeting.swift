package import Contract
internal import ExtensionLink

extension ExtensionHosting {
    /// Who a program is, as it is told at its first request.
    /// - Parameter files: of the process that asks.
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
    /// Takes over how it runs, as its host says; what it was installed with stays.
    package mutating func takeState(_ state: ExtensionRecord) {
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
