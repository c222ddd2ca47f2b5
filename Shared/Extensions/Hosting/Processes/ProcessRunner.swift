import Contract
import ExtensionLink
import Loop
import ServiceKit

/// Runs extension programs as confined processes of this machine, from copies of their bundles.
@LoopActor final class ProcessRunner: ProgramRunner {
    private(set) var trouble: ServiceError?
    private let service: Service
    private let files: HostFiles
    private let bundles: BundleStore
    /// Nil if `extension-launcher` is not installed, so that nothing can be started.
    private var way: Confinement?
    private var lastProcess: Int64 = 0

    /// Determines which confinement works here; takes a fraction of a second.
    init(_ service: Service, _ files: HostFiles, _ bundles: BundleStore) {
        self.service = service
        self.files = files
        self.bundles = bundles
        do throws(ServiceError) { way = try Confinement.probe(service.configuration.bubblewrap) } catch {
            trouble = error
        }
    }

    var confinement: ProgramConfinement? {
        way.map { ProgramConfinement(applied: $0.applied, missing: $0.missing) }
    }

    func check(_ program: ExtensionRecord) throws(ServiceError) {
        if let trouble { throw trouble }
        if !service.configuration.testPrograms { try way?.check(program) }
    }

    func isVerified(_ program: ExtensionRecord) -> Bool { bundles.isKnown(program) }

    func verify(_ program: ExtensionRecord) async throws(ServiceError) {
        try await service.loop.inBackground { [bundles] () throws(ServiceError) in
            try bundles.verify(program)
        }
    }

    func find(_ program: ExtensionRecord) throws(ServiceError) { try bundles.find(program) }

    func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool {
        files.hasReturned(id, delivery: delivery, attempt: attempt)
    }

    func start(
        _ program: ExtensionRecord, for purpose: HostedPurpose, _ budget: ExtensionBudget,
        _ events: RunningProgramEvents
    ) throws(ServiceError) -> any RunningProgram {
        try check(program)
        guard let way else {
            throw ServiceError(.unavailable, "extensions cannot be started", remedy: "See the log.")
        }
        lastProcess += 1
        let own = try ProcessFiles(
            program, purpose, files, number: lastProcess, isInMemory: way.bubblewrap != nil)
        let spawned: SpawnedProgram
        do throws(ServiceError) {
            let order = try LaunchOrder(program, way, own, clock: try files.clock())
            try ProgramUser.prepare(order, own)
            try own.begins()
            spawned = try SpawnedProgram(order, journal: own.journal)
        } catch {
            clear(own)
            throw error
        }
        let output = ProgramOutput(spawned.printed, path: files.log(program.id), id: program.id)
        return ExtensionProcess(spawned, output, own, budget, events)
    }

    /// Removes the files of a process that was not started. What cannot be removed stays, and is logged; the
    /// next start tries again.
    private func clear(_ unused: ProcessFiles) {
        Task { [log = service.log] in
            do throws(ServiceError) { try await unused.end() } catch {
                log.warning("temporary files could not be removed", [("reason", .text(error.message))])
            }
        }
    }

    func builtIn() throws(ServiceError) -> [(id: String, record: Result<ExtensionRecord, ServiceError>)] {
        let state = service.configuration.stateDirectory
        return try BuiltInBundle.installed().map { bundle in
            (bundle.id, Result { () throws(ServiceError) in try bundle.record(in: state) })
        }
    }
}
