import Bus
import Contract
import ExtensionLink
import Hosting
import JSON
import Loop
import ServiceKit
import Units

/// Lets report extensions render, and publishes when a report that was recently requested looks different.
@LoopActor final class ReportRenderer {
    typealias Query = @LoopActor (ReportQuery.Params) throws -> ReportQuery.Result

    /// A report that was requested in the last minutes.
    private struct Watched {
        var params: ReportRender.Params
        /// On the loop's clock.
        var asked: Milliseconds
        var etag: String
        /// Number of times in a row that drawing it again, or telling it, failed.
        var failuresInARow = 0
        /// When it may be drawn again, on the loop's clock.
        var notBefore: Milliseconds = 0
    }

    private let service: Service
    let programs: HostedPrograms
    private var tokens: TokenTranslator { programs.host.translator }
    /// Returns the data of a report, with the person's access.
    var query: Query = { _ in ReportQuery.Result() }
    private var watched: [[UInt8]: Watched] = [:]
    private var timer: (token: TimerToken, due: Milliseconds)?
    private var changed: Set<[UInt8]> = []
    private var isDrawingAgain = false
    /// Number of reports that were begun.
    private var sent = 0
    /// Number of running renderings by extension.
    private var drawing: [String: Int] = [:]

    init(_ service: Service, _ runner: (any ProgramRunner)?) throws {
        self.service = service
        let host = try ExtensionHosting(service, runner)
        programs = try HostedPrograms(host, points: [.report])
        programs.onChange = { [weak self] client in self?.changed { $0.params.client == client } }
    }

    func follow() throws(ServiceError) { try programs.follow() }

    func stop() { programs.stop() }

    /// See ``ServiceProgram/unfinished``.
    var unfinished: [String] { drawing.keys.sorted().map { "a report of \($0) is being drawn" } }

    /// The client's authorization changed, and its tokens with it.
    func forget(_ authorization: Authorization) { tokens.drop(authorization) }

    /// Stops rendering again until the next request.
    func forgetWatched() { watched = [:] }

    // MARK: rendering

    func render(_ params: ReportRender.Params, _ trace: TraceContext) async throws -> ReportRender.Result {
        let result = try await draw(params, trace)
        if watched.count >= ReportLimits.watchedMax { watched = [:] }
        watched[params.encoded()] = Watched(
            params: params, asked: service.loop.now, etag: result.etag)
        return result
    }

    private func draw(
        _ params: ReportRender.Params, _ trace: TraceContext
    ) async throws -> ReportRender.Result {
        guard let program = programs.program(of: params.client, .report) else {
            throw ServiceError(
                .notFound, "\(params.client) has no report extension, so nothing can be rendered",
                remedy: "Install one with `screentime extension install`; see `screentime extension list`.")
        }
        var filter = params.filter
        (filter.shape, filter.page, filter.by, filter.metric) = (.activity, nil, nil, nil)
        let answer = try query(filter)
        let activities = answer.activity ?? []
        let id = program.program.id
        drawing[id, default: 0] += 1
        defer { drawing[id] = drawing[id, default: 1] == 1 ? nil : drawing[id, default: 1] - 1 }
        let member = service.member(filter.member ?? filter.members?.first)
        let owner = TokenOwner(client: params.client, member: member)
        let made = try await ask(program, params, try DrawnParts.of(activities), owner, trace)
        return try Self.result(program.program.id, params, activities, answer.notes, made)
    }

    /// Adds tokens beside the names, as the app has them.
    private func labelled(_ activities: [ReportActivity], _ owner: TokenOwner) async throws -> [RawJSON] {
        var data: [RawJSON] = []
        for activity in activities { data.append(try await tokens.labelled(activity, owner)) }
        return data
    }

    /// - Parameter parts: not empty; each fits into a message.
    private func ask(
        _ program: HostedExtension, _ params: ReportRender.Params, _ parts: [[ReportActivity]],
        _ owner: TokenOwner, _ trace: TraceContext
    ) async throws -> ReportMake.Result {
        var request = ReportMake.Params(context: params.context, filter: RawJSON(encoding: params.filter))
        sent += 1
        let name = "\(sent)"
        if parts.count > 1 { (request.report, request.parts) = (name, Int64(parts.count - 1)) }
        do {
            for part in parts.dropLast() {
                let data = ReportData.Params(report: name, data: try await labelled(part, owner))
                _ = try await program.request(hosted(ReportData.self, data, trace))
            }
            request.data = try await labelled(parts.last ?? [], owner)
            let answer = try await program.request(hosted(ReportMake.self, request, trace))
            return try ReportMake.Result.decode(answer.bytes)
        } catch let failure as HostedFailure {
            var error = failure.error
            error.message = "the report of \(program.program.id) was not drawn: \(error.message)"
            throw error
        } catch let error as JSONError {
            throw ServiceError(
                .internalError, "the answer of \(program.program.id) is not a report: \(error.message)",
                remedy: "Build it against this version.")
        }
    }

    private func hosted<R: HostRequest>(
        _ request: R.Type, _ params: R.Params, _ trace: TraceContext
    ) -> HostedRequest {
        HostedRequest(
            method: R.name, params: RawJSON(encoding: params), deadline: ReportLimits.draw, trace: trace)
    }

    private static func result(
        _ program: String, _ params: ReportRender.Params, _ activities: [ReportActivity], _ notes: [String],
        _ made: ReportMake.Result
    ) throws(ServiceError) -> ReportRender.Result {
        var result = ReportRender.Result()
        result.program = program
        result.notes = notes
        result.empty = activities.allSatisfy { activity in
            activity.activitySegments.allSatisfy { $0.totalActivity == 0 }
        }
        if result.empty, result.notes.isEmpty { result.notes = ["No use was recorded in that time."] }
        let why = result.empty ? result.notes.joined(separator: " ") : nil
        let page = try filtered(program, made.html)
        // Outside the page, where its styles have no effect.
        result.html =
            why.map { PagePolicy.framed(page.html, title: program, notice: ReportPageHTML.notice($0)) }
            ?? page.html
        result.text = VisibleText.escaped(made.text, isLines: true)
        if let why { result.text = "There is nothing to show. \(why)\n\n\(result.text)" }
        if !page.leftOut.isEmpty {
            let names = page.leftOut.joined(separator: ", ")
            result.notes.append("Left out of the page, because no report may have it: \(names).")
        }
        result.etag = ReportPageHTML.tag(of: [result.html, result.text])
        return result
    }

    private static func filtered(_ program: String, _ html: String) throws(ServiceError) -> FilteredPage {
        do { return try PageFilter.page(html) } catch {
            var error = error
            error.message = "the report of \(program) was not shown: \(error.message)"
            throw error
        }
    }

    // MARK: rendering again

    /// Call when use of a member changed.
    func changed(member: String) {
        changed { watched in
            let filter = watched.params.filter
            guard filter.users == nil else { return true }
            return filter.judgedMembers.contains { service.member($0) == member }
        }
    }

    private func changed(where isIncluded: (Watched) -> Bool) {
        let oldest = service.loop.now - ReportLimits.watched
        watched = watched.filter { $0.value.asked >= oldest }
        changed.formUnion(watched.filter { isIncluded($0.value) }.keys)
        changed.formIntersection(watched.keys)
        arm()
    }

    /// One timer for the first of the changed reports that may be drawn again.
    private func arm() {
        guard !isDrawingAgain, let first = changed.compactMap({ watched[$0]?.notBefore }).min() else {
            return
        }
        let due = max(first, service.loop.now + ReportLimits.redraw)
        if let timer {
            guard due < timer.due else { return }
            service.loop.cancel(timer.token)
        }
        let token = service.loop.after(due - service.loop.now) { [weak self] in
            self?.timer = nil
            self?.isDrawingAgain = true
            Task { @LoopActor in await self?.drawAgain() }
        }
        timer = (token, due)
    }

    private func drawAgain() async {
        let now = service.loop.now
        let keys = changed.filter { watched[$0].map { $0.notBefore <= now } ?? true }
        changed.subtract(keys)
        for key in keys {
            guard let one = watched[key] else { continue }
            let isDone = await drawAgain(one, key)
            guard watched[key] != nil else { continue }
            let failures = isDone ? 0 : (watched[key]?.failuresInARow ?? 0) + 1
            watched[key]?.failuresInARow = failures
            watched[key]?.notBefore =
                failures == 0 ? 0 : service.loop.now + ReportLimits.redraw * (1 << min(failures, 6))
            // Until nobody asks for it any more: otherwise the page would stay as it is.
            if !isDone { changed.insert(key) }
        }
        isDrawingAgain = false
        changed { _ in false }
    }

    /// - Returns: whether whoever shows it knows how it looks now.
    private func drawAgain(_ one: Watched, _ key: [UInt8]) async -> Bool {
        do {
            let trace = TraceContext.root()
            let result = try await draw(one.params, trace)
            guard result.etag != one.etag, watched[key] != nil else { return true }
            guard await tell(one.params, result.etag, trace) else { return false }
            watched[key]?.etag = result.etag
            return true
        } catch {
            service.log.warning(
                "drawing a report again failed; it will be retried", [("error", .name(of: error))])
            return false
        }
    }
}

extension ReportRenderer {
    /// Tells whoever shows it that a report has changed.
    /// - Returns: false if that could not be stored; then nobody was told.
    private func tell(_ params: ReportRender.Params, _ etag: String, _ trace: TraceContext) async -> Bool {
        do {
            try service.transact(trace: trace) { transaction in
                _ = try transaction.emit(
                    ReportRendered(
                        client: params.client, context: params.context, filter: params.filter, etag: etag),
                    subject: params.client)
            }
            try await service.committed()
            return true
        } catch {
            service.log.warning(
                "telling that a report changed failed; it will be retried",
                [("error", .name(of: error))])
            return false
        }
    }
}

/// Processing of the pages that extensions make.
enum ReportPageHTML {
    /// A sentence that is shown and read first.
    static func notice(_ sentence: String) -> String {
        "<p role=\"status\" style=\"margin:12px;padding:12px;border:1px solid #888;border-radius:8px;"
            + "background:#fff;color:#1c1c1e;font:15px/1.4 system-ui,sans-serif\">"
            + "<strong>There is nothing to show.</strong> "
            + HTMLText.escaped(sentence) + "</p>"
    }

    /// 64 bits of FNV-1a. Different tags mean different texts; equal tags prove nothing.
    static func tag(of texts: [String]) -> String {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
            hash = (hash ^ 0xFF) &* 1_099_511_628_211
        }
        return String(hash, radix: 16)
    }
}
