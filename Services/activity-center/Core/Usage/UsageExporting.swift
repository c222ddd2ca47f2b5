import Contract
import Rules
import Units

extension UsageLog {
    /// One page of `usage.export`, from one stream. A page token is the position at which it begins:
    /// `stream.order.number`, the last being the number of earlier observations of that millisecond.
    func export(_ params: UsageExport.Params) throws -> UsageExport.Result {
        let place = try Place(params.page)
        let streams = try streams.all(member: service.member(params.member)).filter {
            $0.id >= place.stream && (params.device == nil || params.device == $0.device)
        }
        guard let stream = streams.first else { return UsageExport.Result() }
        let isBegun = stream.id == place.stream
        var page = Page(isBegun ? place : Place(stream: stream.id))
        try observations.forEach(of: stream.id, from: page.next.order) { entry in
            page.append(entry) { catalog.name(of: $0) }
        }
        let following = streams.dropFirst().first.map { Place(stream: $0.id) }
        return UsageExport.Result(
            device: stream.device, deviceModel: stream.model, observations: page.observations,
            nextPage: (page.isFull ? page.next : following)?.text)
    }

    private struct Place {
        var stream: Int64
        var order = Instant.min
        var number: Int64 = 0

        init(stream: Int64) { self.stream = stream }

        init(_ page: String?) throws(ServiceError) {
            stream = 0
            guard let page else { return }
            let parts = page.split(separator: ".").compactMap { Int64($0) }
            guard parts.count == 3 else {
                throw ServiceError(
                    .invalidParams, "unknown page '\(page.prefix(64))'",
                    remedy: "Send next_page of the previous answer.")
            }
            (stream, order, number) = (parts[0], Instant(milliseconds: parts[1]), parts[2])
        }

        var text: String { "\(stream).\(order).\(number)" }
    }

    private struct Page {
        private(set) var observations: [Observation] = []
        private(set) var isFull = false
        /// After the last one taken.
        private(set) var next: Place
        private var skip: Int64
        private var bytes = 0
        private var named: Set<Subject> = []

        init(_ start: Place) {
            next = start
            skip = start.number
        }

        /// - Returns: whether there is room for more.
        mutating func append(_ entry: Entry, name: (Subject) -> String?) -> Bool {
            if skip > 0, entry.row.order == next.order {
                skip -= 1
                return true
            }
            skip = 0
            var observation = entry.change.observation
            if let app = observation.app.map({ Subject.app($0) }), named.insert(app).inserted {
                observation.appName = name(app)
            }
            let size = observation.encoded().count
            isFull = observations.count == Limits.observationsPerRequestMax
                || bytes + size > ActivityLimits.exportBytesMax
            guard !isFull else { return false }
            bytes += size
            observations.append(observation)
            let isTied = entry.row.order == next.order
            (next.order, next.number) = (entry.row.order, isTied ? next.number + 1 : 1)
            return true
        }
    }
}
