package import JSON

/// Apple's DateComponents, as far as schedules use them.
package struct DateComponents: Record {
    package var era: Int64?
    package var year: Int64?
    package var month: Int64?
    package var day: Int64?
    package var hour: Int64?
    package var minute: Int64?
    package var second: Int64?
    package var nanosecond: Int64?
    package var weekday: Int64?
    package var weekdayOrdinal: Int64?

    package init() {}
    package init(
        era: Int64? = nil, year: Int64? = nil, month: Int64? = nil, day: Int64? = nil,
        hour: Int64? = nil, minute: Int64? = nil, second: Int64? = nil, nanosecond: Int64? = nil,
        weekday: Int64? = nil, weekdayOrdinal: Int64? = nil
    ) {
        self.era = era
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
        self.weekday = weekday
        self.weekdayOrdinal = weekdayOrdinal
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("era", &era, "Era.")
        try visitor.field("year", &year, "Year.")
        try visitor.field("month", &month, "1 to 12.")
        try visitor.field("day", &day, "1 to 31.")
        try visitor.field(
            "hour", &hour, "0 to 23, of intervalEnd also 24: where the next day starts; as a duration, any.")
        try visitor.field("minute", &minute, "0 to 59; as a duration, any.")
        try visitor.field("second", &second, "0 to 59; as a duration, any.")
        try visitor.field("nanosecond", &nanosecond, "Rounded down to milliseconds.")
        try visitor.field("weekday", &weekday, "1 = Sunday to 7.")
        try visitor.field("weekdayOrdinal", &weekdayOrdinal, "Which such weekday of the month.")
    }
}

/// Apple's DeviceActivitySchedule.
package struct Schedule: Record {
    package var intervalStart = DateComponents()
    package var intervalEnd = DateComponents()
    package var repeats = false
    package var warningTime: DateComponents?

    package init() {}
    package init(
        intervalStart: DateComponents = DateComponents(), intervalEnd: DateComponents = DateComponents(),
        repeats: Bool = false, warningTime: DateComponents? = nil
    ) {
        self.intervalStart = intervalStart
        self.intervalEnd = intervalEnd
        self.repeats = repeats
        self.warningTime = warningTime
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("intervalStart", &intervalStart, "When it begins.")
        try visitor.field("intervalEnd", &intervalEnd, "When it ends.")
        try visitor.field("repeats", &repeats, "False: once.")
        try visitor.field("warningTime", &warningTime, "How long before start, end and thresholds to warn.")
    }
}

/// What does not count in an event although a category, or everything, covers it.
package struct EventExceptions: Record {
    package var applications: [String]?
    package var categories: [String]?
    package var webDomains: [String]?

    package init() {}
    package init(
        applications: [String]? = nil, categories: [String]? = nil, webDomains: [String]? = nil
    ) {
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("applications", &applications, "App ids.", .subject(.app))
        try visitor.field("categories", &categories, "Categories.", .subject(.category))
        try visitor.field(
            "webDomains", &webDomains, "Domains; a domain covers its subdomains.", .subject(.domain))
    }
}

/// Apple's DeviceActivityEvent: a threshold on the use of what it names. Naming nothing means everything.
package struct EventDefinition: Record {
    package var name = ""
    package var applications: [String]?
    package var categories: [String]?
    package var webDomains: [String]?
    package var except: EventExceptions?
    package var threshold = DateComponents()
    package var includesPastActivity: Bool?
    package var message: String?

    package init() {}
    package init(
        name: String = "", applications: [String]? = nil, categories: [String]? = nil,
        webDomains: [String]? = nil, except: EventExceptions? = nil,
        threshold: DateComponents = DateComponents(),
        includesPastActivity: Bool? = nil, message: String? = nil
    ) {
        self.name = name
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
        self.except = except
        self.threshold = threshold
        self.includesPastActivity = includesPastActivity
        self.message = message
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "Unique in its activity.", .publicText)
        try visitor.field("applications", &applications, "App ids.", .subject(.app))
        try visitor.field("categories", &categories, "Categories.", .subject(.category))
        try visitor.field(
            "webDomains", &webDomains, "Domains; a domain covers its subdomains.", .subject(.domain))
        try visitor.field(
            "except", &except,
            "What does not count by its category or as a part of everything; named itself, it counts.")
        try visitor.field("threshold", &threshold, "Duration of use.")
        try visitor.field(
            "includesPastActivity", &includesPastActivity,
            "Count from the start of the interval, not from registration; default false.")
        try visitor.field(
            "message", &message,
            "The person's own words, shown literally when the warning or the threshold comes.", .publicText)
    }
}

/// One monitored activity: a schedule with its events.
package struct ActivityDefinition: Record {
    package var name = ""
    package var schedule = Schedule()
    package var events: [EventDefinition]?
    package var atFirstUse: Bool?

    package init() {}
    package init(
        name: String = "", schedule: Schedule = Schedule(), events: [EventDefinition]? = nil,
        atFirstUse: Bool? = nil
    ) {
        self.name = name
        self.schedule = schedule
        self.events = events
        self.atFirstUse = atFirstUse
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "Unique in its client and member.", .publicText)
        try visitor.field("schedule", &schedule, "When.")
        try visitor.field("events", &events, "Thresholds; may be none.")
        try visitor.field(
            "atFirstUse", &atFirstUse,
            "True: intervalDidStart and intervalDidEnd wait for the first use inside and after the interval, as on Apple's systems; default false: they come at the boundary.")
    }
}

/// What monitor start and replay read.
package struct PolicyFile: Record {
    package var activities: [ActivityDefinition] = []

    package init() {}
    package init(
        activities: [ActivityDefinition] = []
    ) {
        self.activities = activities
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("activities", &activities, "The activities.")
    }
}

/// An interval that a change of the clock leaves out or moves.
package struct AlteredInterval: Record {
    package var date = ""
    package var startMs: Int64 = 0
    package var skipped = false
    package var explanation = ""

    package init() {}
    package init(date: String, startMs: Int64, skipped: Bool, explanation: String) {
        self.date = date
        self.startMs = startMs
        self.skipped = skipped
        self.explanation = explanation
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("date", &date, "The day of its start by the schedule, YYYY-MM-DD.", .publicText)
        try visitor.field("start_ms", &startMs, "When it begins, or would begin, UTC milliseconds.")
        try visitor.field("skipped", &skipped, "True: it does not happen; false: it is at other times.")
        try visitor.field("explanation", &explanation, "What happens and why, in a sentence.", .publicText)
    }
}

/// A registered activity.
package struct MonitoredActivity: Record {
    package var client = ""
    package var member = ""
    package var registration: Int64 = 0
    package var registeredMs: Int64 = 0
    package var activity = ActivityDefinition()
    package var inInterval = false
    package var intervalStartMs: Int64?
    package var intervalEndMs: Int64?
    package var altered: [AlteredInterval]?

    package init() {}
    package init(
        client: String = "", member: String = "", registration: Int64 = 0, registeredMs: Int64 = 0,
        activity: ActivityDefinition = ActivityDefinition(), inInterval: Bool = false,
        intervalStartMs: Int64? = nil, intervalEndMs: Int64? = nil, altered: [AlteredInterval]? = nil
    ) {
        self.altered = altered
        self.client = client
        self.member = member
        self.registration = registration
        self.registeredMs = registeredMs
        self.activity = activity
        self.inInterval = inInterval
        self.intervalStartMs = intervalStartMs
        self.intervalEndMs = intervalEndMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "client", &client,
            "Bundle id of its owner; org.screentime.limits for the command line.", .publicText)
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("registration", &registration, "Grows with each registration.")
        try visitor.field("registered_ms", &registeredMs, "When, UTC milliseconds.")
        try visitor.field("activity", &activity, "As registered.")
        try visitor.field("in_interval", &inInterval, "True between its start and its end.")
        try visitor.field("interval_start_ms", &intervalStartMs, "Of the current or next interval.")
        try visitor.field("interval_end_ms", &intervalEndMs, "Of the current or next interval.")
        try visitor.field(
            "altered", &altered,
            "Intervals of the last 8 and the next 31 days that a change of the clock leaves out or moves; absent: none."
        )
    }
}

/// Starts monitoring activities; the same name again replaces it.
package enum MonitoringStart: Method {
    package static let name = "monitoring.start"
    package static let owner = ServiceName.activity
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let refusal = ErrorName.unauthorized
    package static let summary = "Starts monitoring activities; the same name again replaces it."

    package struct Params: Record, MemberScoped {
        package static var title: String { "monitoring.start.params" }
        package var member: String?
        package var activities: [ActivityDefinition] = []
        package var startToldMs: Int64?

        package init() {}
        package init(
            member: String? = nil, activities: [ActivityDefinition] = [], startToldMs: Int64? = nil
        ) {
            self.member = member
            self.activities = activities
            self.startToldMs = startToldMs
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("activities", &activities, "Up to 100.")
            try visitor.field(
                "start_told_ms", &startToldMs,
                "An interval that begins at this instant, UTC milliseconds, has told its start to who registers: it is not told again."
            )
        }
    }

    package struct Result: Record {
        package static var title: String { "monitoring.start.result" }
        package var activities: [MonitoredActivity] = []
        package var sequence: Int64 = 0

        package init() {}
        package init(
            activities: [MonitoredActivity] = [], sequence: Int64 = 0
        ) {
            self.activities = activities
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("activities", &activities, "As registered.")
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// Stops activities; a running interval ends with intervalDidEnd.
package enum MonitoringStop: Method {
    package static let name = "monitoring.stop"
    package static let owner = ServiceName.activity
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Stops activities; a running interval ends with intervalDidEnd."

    package struct Params: Record, MemberScoped {
        package static var title: String { "monitoring.stop.params" }
        package var member: String?
        package var names: [String]?

        package init() {}
        package init(
            member: String? = nil, names: [String]? = nil
        ) {
            self.member = member
            self.names = names
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("names", &names, "Absent or empty: all of the client.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "monitoring.stop.result" }
        package var stopped: [String] = []
        package var sequence: Int64 = 0

        package init() {}
        package init(
            stopped: [String] = [], sequence: Int64 = 0
        ) {
            self.stopped = stopped
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("stopped", &stopped, "Names that were monitored.", .publicText)
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// The activities of a client; for the person, of all clients.
package enum MonitoringList: Method {
    package static let name = "monitoring.list"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The activities of a client; for the person, of all clients."

    package struct Params: Record, MemberScoped {
        package static var title: String { "monitoring.list.params" }
        package var member: String?

        package init() {}
        package init(
            member: String? = nil
        ) {
            self.member = member
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default all.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "monitoring.list.result" }
        package var activities: [MonitoredActivity] = []

        package init() {}
        package init(
            activities: [MonitoredActivity] = []
        ) {
            self.activities = activities
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("activities", &activities, "Sorted by client, member, name.")
        }
    }
}

/// What happened to a monitored activity: one of the six callbacks of DeviceActivityMonitor.
package struct ActivityCallback: Record {
    package var client = ""
    package var member = ""
    package var activity = ""
    package var event: String?
    package var registration: Int64 = 0
    package var occurrenceStartMs: Int64 = 0
    package var occurrenceEndMs: Int64 = 0
    package var atMs: Int64 = 0
    package var totalMs: Int64?
    package var thresholdMs: Int64?
    package var late = false
    package var definition: EventDefinition?
    package var registeredMs: Int64?
    package var countedFromMs: Int64?
    package var past: Bool?
    package var zone: String?

    package init() {}
    package init(
        client: String = "", member: String = "", activity: String = "", event: String? = nil,
        registration: Int64 = 0, occurrenceStartMs: Int64 = 0, occurrenceEndMs: Int64 = 0,
        atMs: Int64 = 0, totalMs: Int64? = nil, thresholdMs: Int64? = nil, late: Bool = false,
        definition: EventDefinition? = nil, registeredMs: Int64? = nil, countedFromMs: Int64? = nil,
        past: Bool? = nil, zone: String? = nil
    ) {
        self.client = client
        self.member = member
        self.activity = activity
        self.event = event
        self.registration = registration
        self.occurrenceStartMs = occurrenceStartMs
        self.occurrenceEndMs = occurrenceEndMs
        self.atMs = atMs
        self.totalMs = totalMs
        self.thresholdMs = thresholdMs
        self.late = late
        self.definition = definition
        self.registeredMs = registeredMs
        self.countedFromMs = countedFromMs
        self.past = past
        self.zone = zone
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("client", &client, "Bundle id of the activity's owner.", .publicText)
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("activity", &activity, "Name of the activity.", .publicText)
        try visitor.field("event", &event, "Name of the event, for the two threshold callbacks.", .publicText)
        try visitor.field("registration", &registration, "Registration it belongs to.")
        try visitor.field("occurrence_start_ms", &occurrenceStartMs, "UTC milliseconds.")
        try visitor.field("occurrence_end_ms", &occurrenceEndMs, "UTC milliseconds.")
        try visitor.field("at_ms", &atMs, "The instant it is about: boundary or crossing, UTC milliseconds.")
        try visitor.field("total_ms", &totalMs, "Use counted at that instant.")
        try visitor.field("threshold_ms", &thresholdMs, "The threshold.")
        try visitor.field("late", &late, "True when the instant passed while nobody was there to tell.")
        try visitor.field(
            "definition", &definition,
            "The event as registered, for the two threshold callbacks.")
        try visitor.field("registered_ms", &registeredMs, "When that registration was, UTC milliseconds.")
        try visitor.field(
            "counted_from_ms", &countedFromMs, "Where the event's counting starts, UTC milliseconds.")
        try visitor.field(
            "past", &past,
            "True: the crossing lies before the event's registration (includesPastActivity); else absent.")
        try visitor.field(
            "zone", &zone, "IANA name of the member's time zone, in which the occurrence lies.", .publicText)
    }
}
