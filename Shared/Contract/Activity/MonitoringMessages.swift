package import JSON
package import Units

/// Apple's DateComponents, as far as schedules use them.
@Record
package struct DateComponents: Record {
    /// Era.
    package var era: Int64?
    /// Year.
    package var year: Int64?
    /// 1 to 12.
    package var month: Int64?
    /// 1 to 31.
    package var day: Int64?
    /// 0 to 23, of intervalEnd also 24: where the next day starts; as a duration, any.
    package var hour: Int64?
    /// 0 to 59; as a duration, any.
    package var minute: Int64?
    /// 0 to 59; as a duration, any.
    package var second: Int64?
    /// Rounded down to milliseconds.
    package var nanosecond: Int64?
    /// 1 = Sunday to 7.
    package var weekday: Int64?
    /// Which such weekday of the month.
    @Field(name: "weekdayOrdinal") package var weekdayOrdinal: Int64?
}

/// Apple's DeviceActivitySchedule.
@Record
package struct Schedule: Record {
    /// When it begins.
    @Field(name: "intervalStart") package var intervalStart: DateComponents = DateComponents()
    /// When it ends.
    @Field(name: "intervalEnd") package var intervalEnd: DateComponents = DateComponents()
    /// False: once.
    package var repeats: Bool = false
    /// How long before start, end and thresholds to warn.
    @Field(name: "warningTime") package var warningTime: DateComponents?
}

/// What does not count in an event although a category, or everything, covers it.
@Record
package struct EventExceptions: Record {
    /// App ids.
    @Field(.subject(.app)) package var applications: [String]?
    /// Categories.
    @Field(.subject(.category)) package var categories: [String]?
    /// Domains; a domain covers its subdomains.
    @Field(.subject(.domain), name: "webDomains") package var webDomains: [String]?
}

/// Apple's DeviceActivityEvent: a threshold on the use of what it names. Naming nothing means everything.
@Record
package struct EventDefinition: Record {
    /// Unique in its activity.
    @Field(.publicText) package var name: String = ""
    /// App ids.
    @Field(.subject(.app)) package var applications: [String]?
    /// Categories.
    @Field(.subject(.category)) package var categories: [String]?
    /// Domains; a domain covers its subdomains.
    @Field(.subject(.domain), name: "webDomains") package var webDomains: [String]?
    /// What does not count by its category or as a part of everything; named itself, it counts.
    package var except: EventExceptions?
    /// Duration of use.
    package var threshold: DateComponents = DateComponents()
    /// Count from the start of the interval, not from registration; default false.
    @Field(name: "includesPastActivity") package var includesPastActivity: Bool?
    /// The person's own words, shown literally when the warning or the threshold comes.
    @Field(.publicText) package var message: String?
}

/// One monitored activity: a schedule with its events.
@Record
package struct ActivityDefinition: Record {
    /// Unique in its client and member.
    @Field(.publicText) package var name: String = ""
    /// When.
    package var schedule: Schedule = Schedule()
    /// Thresholds; may be none.
    package var events: [EventDefinition]?
    /// True: intervalDidStart and intervalDidEnd wait for the first use inside and after the interval, as on
    /// Apple's systems; default false: they come at the boundary.
    @Field(name: "atFirstUse") package var atFirstUse: Bool?
}

/// What monitor start and replay read.
@Record
package struct PolicyFile: Record {
    /// The activities.
    package var activities: [ActivityDefinition] = []
}

/// An interval that a change of the clock leaves out or moves.
@Record
package struct AlteredInterval: Record {
    /// The day of its start by the schedule, YYYY-MM-DD.
    @Field(.publicText) package var date: String = ""
    /// When it begins, or would begin, UTC milliseconds.
    package var start: Instant = 0
    /// True: it does not happen; false: it is at other times.
    package var skipped: Bool = false
    /// What happens and why, in a sentence.
    @Field(.publicText) package var explanation: String = ""
}

/// A registered activity.
@Record
package struct MonitoredActivity: Record {
    /// Bundle id of its owner; org.screentime.limits for the command line.
    @Field(.publicText) package var client: String = ""
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// Grows with each registration.
    package var registration: Int64 = 0
    /// When, UTC milliseconds.
    package var registered: Instant = 0
    /// As registered.
    package var activity: ActivityDefinition = ActivityDefinition()
    /// True between its start and its end.
    package var inInterval: Bool = false
    /// Of the current or next interval.
    package var intervalStart: Instant?
    /// Of the current or next interval.
    package var intervalEnd: Instant?
    /// Intervals of the last 8 and the next 31 days that a change of the clock leaves out or moves; absent:
    /// none.
    package var altered: [AlteredInterval]?
}

/// Starts monitoring activities; the same name again replaces it.
@Method("monitoring.start", of: .activity, .write, for: .authorizedClient)
package enum MonitoringStart: Method {
    package static let refusal = ErrorName.unauthorized

    @Record("monitoring.start.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Up to 100.
        package var activities: [ActivityDefinition] = []
        /// An interval that begins at this instant, UTC milliseconds, has told its start to who registers: it
        /// is not told again.
        package var startTold: Instant?
    }

    @Record("monitoring.start.result")
    package struct Result: Record {
        /// As registered.
        package var activities: [MonitoredActivity] = []
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Stops activities; a running interval ends with intervalDidEnd.
@Method("monitoring.stop", of: .activity, .write, for: .authorizedClient)
package enum MonitoringStop: Method {
    @Record("monitoring.stop.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Absent or empty: all of the client.
        @Field(.publicText) package var names: [String]?
    }

    @Record("monitoring.stop.result")
    package struct Result: Record {
        /// Names that were monitored.
        @Field(.publicText) package var stopped: [String] = []
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// The activities of a client; for the person, of all clients.
@Method("monitoring.list", of: .activity, .read, for: .authorizedClient)
package enum MonitoringList: Method {
    @Record("monitoring.list.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default all.
        @Field(.publicText) package var member: String?
    }

    @Record("monitoring.list.result")
    package struct Result: Record {
        /// Sorted by client, member, name.
        package var activities: [MonitoredActivity] = []
    }
}

/// What happened to a monitored activity: one of the six callbacks of DeviceActivityMonitor.
@Record
package struct ActivityCallback: Record {
    /// Bundle id of the activity's owner.
    @Field(.publicText) package var client: String = ""
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// Name of the activity.
    @Field(.publicText) package var activity: String = ""
    /// Name of the event, for the two threshold callbacks.
    @Field(.publicText) package var event: String?
    /// Registration it belongs to.
    package var registration: Int64 = 0
    /// UTC milliseconds.
    package var occurrenceStart: Instant = 0
    /// UTC milliseconds.
    package var occurrenceEnd: Instant = 0
    /// The instant it is about: boundary or crossing, UTC milliseconds.
    package var at: Instant = 0
    /// Use counted at that instant.
    package var total: Milliseconds?
    /// The threshold.
    package var threshold: Milliseconds?
    /// True when the instant passed while nobody was there to tell.
    package var late: Bool = false
    /// The event as registered, for the two threshold callbacks.
    package var definition: EventDefinition?
    /// When that registration was, UTC milliseconds.
    package var registered: Instant?
    /// Where the event's counting starts, UTC milliseconds.
    package var countedFrom: Instant?
    /// True: the crossing lies before the event's registration (includesPastActivity); else absent.
    package var past: Bool?
    /// IANA name of the member's time zone, in which the occurrence lies.
    @Field(.publicText) package var zone: String?
}
