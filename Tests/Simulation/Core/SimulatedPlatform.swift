import Bus
import Contract
import Loop
import ServiceKit
import SimulatedDisk
import Store
import Units

/// The platform of one process of a simulation.
@LoopActor final class SimulatedPlatform: Platform {
    let configuration: Configuration
    let transport: any Transport
    let clock: any WallClock
    let files: any StoreFiles
    private let lines: LogLines
    private let onFaultPoint: @LoopActor (FaultPoint) -> Void

    init(
        _ configuration: Configuration, _ process: SimulatedProcess, _ network: SimulatedNetwork,
        _ disk: SimulatedDisk, _ lines: LogLines, onFaultPoint: @escaping @LoopActor (FaultPoint) -> Void
    ) {
        self.configuration = configuration
        transport = network.transport(of: process)
        clock = process.clock
        files = disk.files(of: process.name)
        self.lines = lines
        self.onFaultPoint = onFaultPoint
    }

    func openLog(_ service: ServiceName) -> Log { Log(name: service.rawValue, level: .warning, to: lines) }
    func begin(_ service: ServiceName) {}
    func end() {}
    func reach(_ point: FaultPoint, of service: ServiceName) { onFaultPoint(point) }
}

/// The last lines of the logs of all processes, for the report of a failure.
final class LogLines: LogSink {
    private static let keptMax = 400
    private(set) var lines: [String] = []

    func append(_ line: [UInt8]) -> String? {
        if lines.count >= 2 * Self.keptMax { lines.removeFirst(Self.keptMax) }
        lines.append(String(decoding: line.dropLast(), as: UTF8.self))
        return nil
    }

    func removeLines(of forgetting: Forgetting) -> Int { 0 }
}
