package import Contract
package import Loop
package import Units

/// Answers browsers: decides first who may ask at all, then who is signed in, then what is answered.
@LoopActor package final class Front {
    /// What it needs from the process.
    package struct Parts {
        package var pages: PageFiles
        package var api: API
        package var apps: AppRuns
        package var events: EventHub
        package var pictures: AppPictures
        package var scenes: Scenes
        package var logs: ServiceLogs
        package var household: Persons
        /// A clock that never steps.
        package var now: @LoopActor () -> Milliseconds

        package init(
            pages: PageFiles, api: API, apps: AppRuns, events: EventHub, pictures: AppPictures,
            scenes: Scenes, logs: ServiceLogs,
            household: Persons, now: @escaping @LoopActor () -> Milliseconds
        ) {
            self.pages = pages
            self.api = api
            self.apps = apps
            self.events = events
            self.pictures = pictures
            self.scenes = scenes
            self.logs = logs
            self.household = household
            self.now = now
        }
    }

    private let parts: Parts
    private let gate: Gate
    private let port: UInt16
    private let sessions = Sessions()
    /// Of all sign-ins together: nobody guesses 256 bits, and nobody tries for long.
    private var signIns = Allowance()
    /// Refused requests by name.
    private(set) var refusals: [ConsoleRefusal: Int64] = [:]

    package init(port: UInt16, _ parts: Parts) {
        self.parts = parts
        self.port = port
        gate = Gate(port: port)
    }

    /// Commands of apps that run.
    package var commandCount: Int { parts.apps.count }

    /// Sessions that are signed in.
    package var sessionCount: Int { sessions.count }

    /// An address that signs in whoever opens it first.
    /// - Throws: `invalidArgument` if there is no such page.
    package func invite(to page: String?) throws(ServiceError) -> ConsoleOpen.Result {
        if let page, !PageFiles.pages.contains(page) {
            throw ServiceError(
                .invalidArgument, "the console has no page '\(VisibleText.shortened(page))'",
                remedy: "Open one of \(PageFiles.pages.subtracting(["/"]).sorted().joined(separator: ", ")).")
        }
        let ticket = sessions.makeTicket(now: parts.now())
        let place = page.map { "?to=\($0)" } ?? ""
        return ConsoleOpen.Result(
            address: "http://127.0.0.1:\(port)/sign-in\(place)#\(ticket.text)",
            validFor: Sessions.Bounds.ticketLife)
    }

    /// Answers one request. Every response has the header fields of ``Gate/fields``, unless it is of a scene
    /// or an icon, which have their own.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse {
        var response = await judged(request)
        let names = Set(response.fields.map(\.name))
        response.fields += Gate.fields.filter { !names.contains($0.name) }
        return response
    }

    private func judged(_ request: HTTPRequest) async -> HTTPResponse {
        if let refusal = gate.refusal(request) {
            return refuse(
                refusal.name, refusal.sentence,
                remedy: "Open the console with `screentime open`; programs use the bus (docs/contract).")
        }
        if request.method != "POST", let file = parts.pages.answer(request) { return file }
        switch (request.method, request.path) {
        case ("POST", "/session"): return signIn(request)
        case ("POST", "/session/end"): return await whenSignedIn(request) { self.signOut($0) }
        case ("POST", API.path + AppRun.name):
            return await whenSignedIn(request) { await self.parts.apps.answer($0) }
        case ("POST", let path) where path.hasPrefix(API.path):
            return await whenSignedIn(request) { await self.parts.api.answer($0) }
        case ("POST", _): break
        case (_, "/session"): return await describeSession(request)
        case (_, OpenAPI.path): return await whenSignedIn(request) { OpenAPI.answer($0) }
        // A stream has no end, so its head alone is nobody's.
        case ("GET", "/events"): return await whenSignedIn(request) { self.openEvents($0) }
        case (_, let path) where path.hasPrefix(AppPictures.path):
            return await whenSignedIn(request) { await self.parts.pictures.answer($0) }
        case (_, let path) where path.hasPrefix(Scenes.path):
            return await whenSignedIn(request) { await self.parts.scenes.answer($0) }
        case (_, let path) where path.hasPrefix(ServiceLogs.path):
            return await whenSignedIn(request) { self.parts.logs.answer($0) }
        default: break
        }
        if let page = PageFiles.page(near: request) {
            return HTTPResponse(303, [("Location", page), ("Cache-Control", "no-store")])
        }
        return refuse(.notFound, "there is nothing at this path", remedy: "Open /.")
    }

    private func openEvents(_ request: HTTPRequest) -> HTTPResponse {
        let id = sessionID(of: request)
        return parts.events.open(after: request.fields["last-event-id"]) { [weak self] in
            // A page that is open uses its session.
            self.map { $0.sessions.use(id, now: $0.parts.now()) != nil } ?? false
        }
    }

    private func refuse(_ name: ConsoleRefusal, _ sentence: String, remedy: String) -> HTTPResponse {
        refusals[name, default: 0] += 1
        return .refusal(name, sentence, remedy: remedy)
    }

    // MARK: sessions

    /// Cookies are not separated by ports, so the port is in the name: instances side by side do not end each
    /// other's sessions.
    private var cookieName: String { "screentime_session_\(port)" }

    private func cookie(_ id: String, _ more: String = "") -> (name: String, value: String) {
        ("Set-Cookie", "\(cookieName)=\(id); HttpOnly; SameSite=Strict; Path=/\(more)")
    }

    /// The id of a session among the cookies that a browser sent; nil: none is one.
    private func sessionID(of request: HTTPRequest) -> String? {
        request.cookies(cookieName).first { sessions.use($0, now: parts.now()) != nil }
    }

    private func endSessions(of request: HTTPRequest) {
        for id in request.cookies(cookieName) { sessions.end(id) }
    }

    private func signIn(_ request: HTTPRequest) -> HTTPResponse {
        let now = parts.now()
        if let wait = signIns.spend(now) { return tooMany(wait) }
        // Whatever is wrong with the body, it has no ticket that is good.
        let given = try? SignIn.decode(request.body)
        guard let id = sessions.redeem(given?.ticket, now: now), let session = sessions.use(id.text, now: now)
        else {
            return refuse(
                .notSignedIn, "this way in was used already, is older than a minute, or never was one",
                remedy: "Run `screentime open` again.")
        }
        // The browser's former session ends: nobody else knows the new one's id.
        endSessions(of: request)
        parts.events.endForbidden()
        return HTTPResponse(
            200, [("Content-Type", "application/json"), ("Cache-Control", "no-store"), cookie(id.text)],
            .bytes(SignedIn(csrf: session.csrf.text).encoded()))
    }

    private func signOut(_ request: HTTPRequest) -> HTTPResponse {
        endSessions(of: request)
        parts.events.endForbidden()
        return HTTPResponse(204, [("Cache-Control", "no-store"), cookie("", "; Max-Age=0")])
    }

    private func describeSession(_ request: HTTPRequest) async -> HTTPResponse {
        await whenSignedIn(request) { request in
            guard let session = self.sessions.use(self.sessionID(of: request), now: self.parts.now())
            else {
                return self.notSignedIn()
            }
            let description = await self.parts.household.describe(csrf: session.csrf.text)
            return HTTPResponse(
                200, [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
                .bytes(description.encoded()))
        }
    }

    private func whenSignedIn(
        _ request: HTTPRequest, _ body: @LoopActor (HTTPRequest) async -> HTTPResponse
    ) async -> HTTPResponse {
        let (id, now) = (sessionID(of: request), parts.now())
        guard let session = sessions.use(id, now: now) else { return notSignedIn() }
        if request.method == "POST", !session.csrf.matches(request.fields["x-csrf-token"]) {
            return refuse(
                .wrongToken, "the request has not the token of this session",
                remedy: "Send the `csrf` of GET /session as X-CSRF-Token.")
        }
        if let wait = sessions.spend(id, now: now) { return tooMany(wait) }
        return await body(request)
    }

    private func notSignedIn() -> HTTPResponse {
        refuse(.notSignedIn, "nobody is signed in with this browser", remedy: "Run `screentime open`.")
    }

    private func tooMany(_ wait: Milliseconds) -> HTTPResponse {
        refusals[.tooManyRequests, default: 0] += 1
        return .refusal(
            .tooManyRequests,
            "more than \(Allowance.atOnce) requests at once, or \(Allowance.aSecond) a second for long",
            remedy: "Wait as long as Retry-After says.", retryAfter: wait)
    }
}
