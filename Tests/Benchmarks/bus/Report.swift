import Bus
import Contract
import Glibc
import JSON
import Loop
import Time
import Units

/// Feeds a year of use, as an import does.
@LoopActor enum BenchFiller {
    static var client: RequestClient?
    static var reports: RequestClient?
    static var batches: [[Observation]] = []
    static var left = 0
    static var startNs: Int64 = 0
    static var sequence: Int64 = 0

    static func start(_ directory: RuntimeDirectory, file: String) throws {
        client = try RequestClient(to: .activity, in: directory, tracer: Tracer(service: "bench"))
        reports = try RequestClient(to: .report, in: directory, tracer: Tracer(service: "bench"))
        batches = batches(of: file).reversed()
        left = batches.count
        startNs = MonotonicClock.nowNs
        for _ in 0..<8 { send() }
    }

    /// Each row is opened and closed.
    static func batches(of file: String) -> [[Observation]] {
        guard let input = fopen(file, "r") else { return [] }
        defer { fclose(input) }
        var batches: [[Observation]] = [[]]
        var line = [CChar](repeating: 0, count: 1_024)
        while fgets(&line, Int32(line.count), input) != nil {
            let bytes = line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
            let parts = String(decoding: bytes, as: UTF8.self).split(separator: ",")
            guard parts.count == 3, let start = Int64(parts[0]), let end = Int64(parts[1]) else { continue }
            let (opened, closed) = (Instant(milliseconds: start), Instant(milliseconds: end))
            if batches[batches.count - 1].count >= 4_000 { batches.append([]) }
            let app = String(parts[2])
            batches[batches.count - 1] += [
                Observation(at: opened, kind: .opened, app: app, instance: 1, ordinal: 1),
                Observation(at: closed, kind: .closed, app: app, instance: 1, ordinal: 0),
            ]
        }
        return batches
    }

    static func send() {
        guard let batch = batches.popLast() else { return }
        let params = UsageObserve.Params(device: "phone", deviceModel: "android", observations: batch)
        client?.send(UsageObserve.self, params, options: CallOptions(deadline: 600_000)) { result in
            guard case .success(let answer) = result, answer.accepted == Int64(batch.count) else {
                print("bench-bus: \(result)")
                exit(1)
            }
            sequence = max(sequence, answer.sequence)
            left -= 1
            if left == 0 { return waitForReports(MonotonicClock.nowNs - startNs) }
            send()
        }
    }

    static func waitForReports(_ ingestNs: Int64) {
        let options = CallOptions(deadline: 600_000, notBefore: [Position(.activity, sequence)])
        reports?.send(ReportQuery.self, ReportQuery.Params(zone: "UTC"), options: options) { _ in
            print(ingestNs, MonotonicClock.nowNs - startNs)
            exit(0)
        }
    }
}

/// Asks for a report again and again.
@LoopActor enum BenchReporter {
    static func start(_ directory: RuntimeDirectory, rounds: Int, _ query: String) throws {
        let client = try RequestClient(to: .report, in: directory, tracer: Tracer(service: "bench"))
        let params = try ReportQuery.Params.decode(Array(query.utf8))
        Task { @LoopActor in
            do {
                for _ in 0..<rounds { try await ask(client, params) }
                exit(0)
            } catch {
                print("bench-bus: \(error)")
                exit(1)
            }
        }
    }

    static func ask(_ client: RequestClient, _ params: ReportQuery.Params) async throws {
        let trace = TraceContext.root()
        let options = CallOptions(deadline: 600_000, trace: trace)
        let startNs = MonotonicClock.nowNs
        var params = params
        params.page = 0
        var cells = 0
        while params.page != nil {
            let answer = try await client.call(ReportQuery.self, params, options: options)
            cells += answer.rows.count + (answer.table?.segments.reduce(0) { $0 + $1.cells.count / 2 } ?? 0)
            params.page = answer.nextPage
        }
        let allNs = MonotonicClock.nowNs - startNs
        let spans = try await client.call(
            TraceRead.self, TraceRead.Params(traceID: trace.traceID), options: CallOptions())
        let served = spans.spans.filter { $0.name == ReportQuery.name }
        print(allNs, served.reduce(0) { $0 + $1.durationUs }, cells)
    }
}
