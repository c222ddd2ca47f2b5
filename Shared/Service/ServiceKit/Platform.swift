package import Bus
package import Contract
import FileAccess
package import Loop
package import Store

/// What a service gets from outside. ``Machine`` is that of a process; a simulation makes one for each of its
/// processes.
@LoopActor package protocol Platform: AnyObject {
    /// The settings.
    var configuration: Configuration { get }
    /// Makes the sockets, and has the loop.
    var transport: any Transport { get }
    /// The clock of all domain time.
    var clock: any WallClock { get }
    /// The files of the store.
    var files: any StoreFiles { get }
    /// Opens the log of a service.
    func openLog(_ service: ServiceName) throws(ServiceError) -> Log
    /// Prepares the directories of a service and keeps everybody else from running it here.
    /// - Throws: `alreadyExists` if it already runs; as ``Configuration/prepareDirectories(of:)``.
    func begin(_ service: ServiceName) throws(ServiceError)
    /// Lets others run the service; called once, after its store is closed.
    func end()
    /// Called at each fault point.
    func reach(_ point: FaultPoint, of service: ServiceName)
}

extension Platform {
    /// The loop of the process.
    package var loop: EventLoop { transport.loop }
}

/// The machine, for a service that is the only one of its process, or one of a test.
@LoopActor package final class Machine: Platform {
    package let configuration: Configuration
    package let clock: any WallClock
    private var lock: FileLock?

    package var transport: any Transport { configuration.runtime }
    package let files: any StoreFiles = DiskFiles()

    /// - Parameter clock: nil for that of the state directory, see ``SystemClock``.
    package init(_ configuration: Configuration, clock: (any WallClock)? = nil) throws(ServiceError) {
        self.configuration = configuration
        self.clock = if let clock { clock } else { try SystemClock(of: configuration.stateDirectory) }
    }

    package func begin(_ service: ServiceName) throws(ServiceError) {
        try configuration.prepareDirectories(of: service)
        lock = try configuration.runtime.lock(service)
    }

    package func openLog(_ service: ServiceName) throws(ServiceError) -> Log {
        try Log(
            name: service.rawValue, directory: configuration.logDirectory, level: configuration.logLevel)
    }

    package func end() {
        lock?.markReleased()
        lock = nil
    }

    package func reach(_ point: FaultPoint, of service: ServiceName) {
        point.reach(configuration.faultDirectory, service)
    }
}
