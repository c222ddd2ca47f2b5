package import Contract
package import ExtensionLink
package import JSON
package import Loop
package import Units

/// Runs extension programs: ``ProcessRunner`` as processes of this machine; a simulation has programs of its
/// own.
@LoopActor package protocol ProgramRunner: AnyObject {
    /// Why no program can be started; nil if programs can be started.
    var trouble: ServiceError? { get }
    /// The confinement that programs get here; nil if none can be started.
    var confinement: ProgramConfinement? { get }
    /// Checks that a program may be started with that confinement.
    /// - Throws: `unavailable` or `accessDenied`, with what to do.
    func check(_ program: ExtensionRecord) throws(ServiceError)
    /// Whether the copy to run is what was installed, and nobody touched it since it was compared.
    func isVerified(_ program: ExtensionRecord) -> Bool
    /// Compares the copy with what was installed.
    /// - Throws: `storageDamaged` if it differs; `notFound`.
    func verify(_ program: ExtensionRecord) async throws(ServiceError)
    /// Checks that there is a copy to run.
    /// - Throws: `notFound` or `storageDamaged`, with what is missing.
    func find(_ program: ExtensionRecord) throws(ServiceError)
    /// Starts a program.
    /// - Throws: why it cannot be started; nothing of it remains then.
    func start(
        _ program: ExtensionRecord, for purpose: HostedPurpose, _ budget: ExtensionBudget,
        _ events: RunningProgramEvents
    ) throws(ServiceError) -> any RunningProgram
    /// Whether a program's journal says that an attempt of a delivery returned.
    func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool
    /// The extensions that come with the system; made complete again, because an update may move them.
    /// - Returns: each as it is to be installed, or why it cannot be, by id.
    /// - Throws: `unavailable` if the limits app is missing: the person's limits would have no effect.
    func builtIn() throws(ServiceError) -> [(id: String, record: Result<ExtensionRecord, ServiceError>)]
}

/// What confines a program.
package struct ProgramConfinement: Equatable, Sendable {
    /// In effect, as `bubblewrap`, `landlock 7`, `seccomp`.
    package var applied: [String]
    /// What could not be applied, with the reason.
    package var missing: [String]

    package init(applied: [String] = [], missing: [String] = []) {
        self.applied = applied
        self.missing = missing
    }
}

/// One running program, as its host uses it.
@LoopActor package protocol RunningProgram: AnyObject {
    /// Its process id.
    var pid: Int32 { get }
    /// The last lines that it printed or logged.
    var lines: [String] { get }
    /// What confines it; nil until that is known.
    var confinement: ProgramConfinement? { get }
    /// When the program itself began, on the loop's clock; nil until that is known.
    var began: Milliseconds? { get }
    /// Path of its container.
    var home: String { get }
    /// Its app groups.
    var groups: [AppGroup] { get }
    /// A request begins: resources are measured from here.
    func mark()
    /// Resources used since then; nil if it is gone, or has not started.
    func measure() -> MeasuredUse?
    /// Sends a request; `answered` is called with the answer.
    func send(_ id: Int64, _ method: String, _ params: RawJSON, deadline: Milliseconds)
    /// Ends it normally.
    func finish()
    /// Kills it with everything it started.
    func destroy(_ reason: String)
    /// The same because it exceeds its budget; its host is informed once.
    func destroy(_ excess: Excess)
}

/// What a running program reports to its host.
package struct RunningProgramEvents {
    /// Answers a request of the program.
    package typealias Reply = @LoopActor (Result<RawJSON, ServiceError>) -> Void

    /// A request of the host was answered or refused.
    package var answered: @LoopActor (_ id: Int64, Result<RawJSON, ServiceError>) -> Void
    /// It sent a request; call the closure with the answer.
    package var asked: @LoopActor (ProgramRequest, @escaping Reply) -> Void
    /// It has begun, or could not.
    package var launched: @LoopActor () -> Void
    /// It exceeds its budget and is being killed.
    package var exceeded: @LoopActor (Excess) -> Void
    /// It has ended, with the reason.
    package var ended: @LoopActor (ProcessEnd) -> Void
    /// What it left was removed, or could not be removed: another one may be started.
    package var cleared: @LoopActor (ServiceError?) -> Void
}

/// Resources that a program used for one request.
package struct MeasuredUse: Equatable, Sendable {
    package var processor: Milliseconds
    /// Largest private memory.
    package var memoryBytes: Int64

    package init(processor: Milliseconds, memoryBytes: Int64) {
        self.processor = processor
        self.memoryBytes = memoryBytes
    }
}
