import Bus
import Contract
import ExtensionLink
import Hosting
import JSON
import ServiceKit
import Units

/// `extension.run`: one callback now, for who writes an extension.
extension MonitorService {
    func run(_ params: ExtensionRun.Params, trace: TraceContext) async throws -> ExtensionRun.Result {
        guard let program = records.first(where: { $0.id == params.id }) else { throw unknown(params.id) }
        guard program.point == .monitor else {
            throw ServiceError(
                .invalidArgument, "'\(params.id)' is no monitor extension: it has no callbacks to run",
                remedy: "Use `screentime shield show` or `screentime report render`.")
        }
        try VisibleText.checkName(params.activity, "the activity's name")
        if let event = params.event { try VisibleText.checkName(event, "the event's name") }
        // A process of its own with a journal of its own: what is on its way to the other is not disturbed.
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

    /// The last lines that an answer has room for; the log has all of them.
    static func newest(_ lines: [String]) -> [String] {
        var bytes = 0
        let fitting = lines.reversed().prefix { line in
            // Encoded, a byte may become six.
            bytes += line.encoded().count + 1
            return bytes <= MonitorLimits.outputBytesMax
        }
        let left = lines.count - fitting.count
        guard left > 0 else { return lines }
        return ["… \(left) earlier lines: see the extension's log"] + fitting.reversed()
    }

    /// As activity-center would tell it at this instant, in an occurrence of the whole day.
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
