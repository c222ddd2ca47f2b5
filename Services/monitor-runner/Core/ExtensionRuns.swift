import Bus
import Contract
import ExtensionLink
import Hosting
import JSON
import ServiceKit
import Units

/// `extension.run`: runs one callback now, for developers of extensions.
extension MonitorService {
    func run(_ params: ExtensionRun.Params, trace: TraceContext) async throws -> ExtensionRun.Result {
        guard let program = records.first(where: { $0.id == params.id }) else { throw unknown(params.id) }
        guard program.point == .monitor else {
            throw ServiceError(
                .invalidArgument, "'\(params.id)' is not a monitor extension: it has no callbacks to run",
                remedy: "Use `screentime shield show` or `screentime report render`.")
        }
        try VisibleText.checkName(params.activity, "the activity's name")
        if let event = params.event { try VisibleText.checkName(event, "the event's name") }
        // A separate process with its own journal, so that a delivery in progress is not disturbed.
        let hosted = HostedExtension(program, host, for: .trial)
        defer { hosted.retire("its one callback is over") }
        let callback = CallbackParams(
            callback: params.callback, about: about(params, program), delivery: 0, attempt: 1)
        var result = ExtensionRun.Result()
        do throws(HostedFailure) {
            _ = try await hosted.request(
                HostedRequest(
                    method: Wire.callbackMethod, params: RawJSON(encoding: callback),
                    callback: params.callback.rawValue, deadline: Limits.requestDeadlineMax, trace: trace)
            )
        } catch {
            result.error = error.reason
        }
        await hosted.finish()
        let record = hosted.record
        result.measured = record.measured
        result.output = Self.newest(hosted.output)
        result.confinement = record.confinement ?? []
        return result
    }

    /// The last lines that fit into an answer; the log contains all.
    static func newest(_ lines: [String]) -> [String] {
        var bytes = 0
        let fitting = lines.reversed().prefix { line in
            // A byte can become six when encoded.
            bytes += line.encoded().count + 1
            return bytes <= MonitorLimits.outputBytesMax
        }
        let left = lines.count - fitting.count
        guard left > 0 else { return lines }
        return ["… \(left) earlier lines: see the extension's log"] + fitting.reversed()
    }

    /// A callback as activity-center would publish it now, for an occurrence of the whole day.
    private func about(_ params: ExtensionRun.Params, _ program: ExtensionRecord) -> ActivityCallback {
        let now = service.clock.now
        var about = ActivityCallback()
        about.client = program.client
        about.member = service.member(nil)
        about.activity = params.activity
        about.event = params.event
        about.at = now
        about.occurrenceStart = now - now.sinceEpoch.flooredRemainder(.day)
        about.occurrenceEnd = about.occurrenceStart + .day
        about.registered = about.occurrenceStart
        return about
    }
}
