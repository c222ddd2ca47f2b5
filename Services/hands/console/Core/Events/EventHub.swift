package import Bus
import Contract
package import Loop

/// Live events for pages: `GET /events`, as server-sent events. It follows the services while a page is
/// connected, and does nothing otherwise.
@LoopActor package final class EventHub {
    private let transport: any Transport
    private let services: Services
    private var feeds: [ServiceName: ServiceFeed] = [:]
    private var pages: [ObjectIdentifier: EventPage] = [:]
    /// The services of which is known where their logs end, or that they do not answer.
    private var begun: Set<ServiceName> = []
    private var heartbeat: TimerToken?

    package init(_ transport: any Transport, _ services: Services) {
        self.transport = transport
        self.services = services
    }

    /// Pages that are connected.
    package var count: Int { pages.count }

    /// Services that are followed: none, while no page is connected.
    package var followedCount: Int { feeds.count }

    /// Begins a stream for one page.
    /// - Parameters:
    ///   - last: `Last-Event-ID`; nil for a page that has received nothing yet.
    ///   - isAllowed: whether the page's session is still one; asked with each heartbeat.
    func open(after last: String?, isAllowed: @escaping @LoopActor () -> Bool) -> HTTPResponse {
        guard pages.count < ConsoleLimits.streamsMax else {
            var refusal = HTTPResponse.refusal(
                .tooManyStreams, "\(ConsoleLimits.streamsMax) pages receive live events already",
                remedy: "Close some of them.", retryAfter: ConsoleLimits.heartbeat)
            // Kept, their connections would leave none for pages.
            refusal.fields.append(("Connection", "close"))
            return refusal
        }
        let stream = HTTPStream()
        let page = EventPage(
            stream, after: last.flatMap { EventPositions($0) }, services, isAllowed: isAllowed)
        pages[ObjectIdentifier(page)] = page
        stream.onEnd = { [weak self, weak page] in
            if let page { self?.remove(page) }
        }
        wake()
        if isComplete { page.begin(at: positions) }
        return HTTPResponse(
            200,
            [
                ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
                ("X-Accel-Buffering", "no"),
            ], .stream(stream))
    }

    /// Ends the streams of sessions that have ended.
    func endForbidden() {
        for page in pages.values where !page.isAllowed() { page.stream.close() }
    }

    /// Ends all streams.
    package func close() {
        for page in pages.values { page.stream.close() }
        sleep()
    }

    private func remove(_ page: EventPage) {
        pages[ObjectIdentifier(page)] = nil
        if pages.isEmpty { sleep() }
    }

    private func sleep() {
        feeds.values.forEach { $0.close() }
        (feeds, begun) = ([:], [])
        if let heartbeat { EventLoop.main.cancel(heartbeat) }
        heartbeat = nil
    }

    private func wake() {
        if heartbeat == nil { beat() }
        guard feeds.isEmpty else { return }
        for service in EventPositions.services {
            do throws(ServiceError) {
                let client = try services.client(service.rawValue)
                feeds[service] = ServiceFeed(
                    service, transport, client,
                    ServiceFeed.Output(
                        deliver: { [weak self] in self?.deliver(service, $0, $1) },
                        began: { [weak self] in self?.began(service) }))
            } catch { begun.insert(service) }
        }
    }

    private func beat() {
        heartbeat = EventLoop.main.after(ConsoleLimits.heartbeat) { [weak self] in
            guard let self else { return }
            endForbidden()
            pages.values.forEach { $0.beat() }
            if pages.isEmpty { sleep() } else { beat() }
        }
    }

    private var isComplete: Bool { begun.count == EventPositions.services.count }

    private var positions: EventPositions {
        var positions = EventPositions()
        for (service, feed) in feeds { positions[service] = feed.place }
        return positions
    }

    private func began(_ service: ServiceName) {
        let wasComplete = isComplete
        begun.insert(service)
        guard isComplete else { return }
        let positions = positions
        if wasComplete {
            // It answers again, or has another log: what happened before is not known here.
            guard positions[service] != nil else { return }
            pages.values.forEach { $0.reset(to: positions) }
        } else {
            pages.values.forEach { $0.begin(at: positions) }
        }
    }

    private func deliver(_ service: ServiceName, _ events: [ReceivedEvent], _ place: EventPositions.Place) {
        for page in pages.values { page.take(service, events.map(\.event), place) }
    }
}
