package import JSON
package import Units

/// The fields of Apple's DateComponents that schedules use.
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
    /// 0 to 23; in intervalEnd also 24, the start of the next day. Any number in a duration.
    package var hour: Int64?
    /// 0 to 59; any number in a duration.
    package var minute: Int64?
    /// 0 to 59; any number in a duration.
    package var second: Int64?
    /// Rounded down to milliseconds.
    package var nanosecond: Int64?
    /// 1 (Sunday) to 7 (Saturday).
    package var weekday: Int64?
    /// Which of those weekdays of the month, from 1.
    @Field(name: "weekdayOrdinal") package var weekdayOrdinal: Int64?
}

/// Apple's DeviceActivitySchedule.
@Record
package struct Schedule: Record {
    /// When it begins.
    @Field(name: "intervalStart") package var intervalStart: DateComponents = DateComponents()
    /// When it ends.
    @Field(name: "intervalEnd") package var intervalEnd: DateComponents = DateComponents()
    /// False: the interval occurs once.
    package var repeats: Bool = false
    /// How long before the start, the end and each threshold a warning is delivered.
    @Field(name: "warningTime") package var warningTime: DateComponents?
}

/// Exceptions of an event: use of these does not count, even if a category or "everything" covers it.
@Record
package struct EventExceptions: Record {
    /// App ids.
    @Field(.subject(.app)) package var applications: [String]?
    /// Categories.
    @Field(.subject(.category)) package var categories: [String]?
    /// Domains; a domain covers its subdomains.
    @Field(.subject(.domain), name: "webDomains") package var webDomains: [String]?
}

/// Apple's DeviceActivityEvent: a threshold for the use of the named apps, categories and domains. If none is
/// named, all use counts.
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
    /// Subjects that do not count as part of a category or of everything. A subject that the event names
    /// itself counts.
    package var except: EventExceptions?
    /// Length of use that reaches the threshold.
    package var threshold: DateComponents = DateComponents()
    /// True: count from the start of the interval instead of from registration. Default false.
    @Field(name: "includesPastActivity") package var includesPastActivity: Bool?
    /// A text of the person, shown as it is with the warning and when the threshold is reached.
    @Field(.publicText) package var message: String?
}

/// One monitored activity: a schedule with its events.
@Record
package struct ActivityDefinition: Record {
    /// Unique in its client and member.
    @Field(.publicText) package var name: String = ""
    /// When it is monitored.
    package var schedule: Schedule = Schedule()
    /// Its thresholds; may be empty or absent.
    package var events: [EventDefinition]?
    /// True: intervalDidStart and intervalDidEnd are delivered at the first use inside and after the
    /// interval, as on Apple's systems. Default false: at the boundary.
    @Field(name: "atFirstUse") package var atFirstUse: Bool?
}

/// The file that `screentime monitor start` and `replay` read.
@Record
package struct PolicyFile: Record {
    /// The activities.
    package var activities: [ActivityDefinition] = []
}

/// An occurrence that a daylight-saving change skips or moves.
@Record
package struct AlteredInterval: Record {
    /// Date of its start in the schedule, YYYY-MM-DD.
    @Field(.publicText) package var date: String = ""
    /// When it starts, or would have started, UTC milliseconds.
    package var start: Instant = 0
    /// True: it does not occur. False: it occurs at other times.
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
    /// Number of the registration; a later one has a greater number.
    package var registration: Int64 = 0
    /// When it was registered, UTC milliseconds.
    package var registered: Instant = 0
    /// As registered.
    package var activity: ActivityDefinition = ActivityDefinition()
    /// True between its start and its end.
    package var inInterval: Bool = false
    /// Start of the current or next interval, UTC milliseconds.
    package var intervalStart: Instant?
    /// End of the current or next interval, UTC milliseconds.
    package var intervalEnd: Instant?
    /// Intervals of the last 8 and the next 31 days that a daylight-saving change skips or moves; absent if
    /// there are none.
    package var altered: [AlteredInterval]?
}

/// Starts monitoring activities; an activity of the same name is replaced.
@Method("monitoring.start", of: .activity, .write, for: .authorizedClient)
package enum MonitoringStart: Method {
    /// Apple's MonitoringError has a name of its own for a client that may not monitor.
    package static let refusal = ErrorName.unauthorized

    /// The activities of one client for one member.
    @Record("monitoring.start.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Up to 100.
        package var activities: [ActivityDefinition] = []
        /// Names of activities of the same client that stop in the same change, as `monitoring.stop` stops
        /// them; not those that start. Nothing is seen between the two.
        @Field(.publicText) package var stop: [String]?
        /// The start of the interval that begins at this instant, UTC milliseconds, was delivered already: it
        /// is not delivered again.
        package var startTold: Instant?
    }

    /// The registered activities.
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
    /// Names of activities of one client for one member.
    @Record("monitoring.stop.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Absent or empty: all activities of the client.
        @Field(.publicText) package var names: [String]?
    }

    /// The activities that ran.
    @Record("monitoring.stop.result")
    package struct Result: Record {
        /// Names of the activities that were stopped.
        @Field(.publicText) package var stopped: [String] = []
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Lists the activities of a client; for the person, of all clients.
@Method("monitoring.list", of: .activity, .read, for: .authorizedClient)
package enum MonitoringList: Method {
    /// Filter by member.
    @Record("monitoring.list.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default all.
        @Field(.publicText) package var member: String?
    }

    /// The registered activities.
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
    /// The boundary or crossing it reports, UTC milliseconds.
    package var at: Instant = 0
    /// Use counted at that instant.
    package var total: Milliseconds?
    /// The threshold.
    package var threshold: Milliseconds?
    /// True when the service did not run at that instant and delivers it late.
    package var late: Bool = false
    /// The event as registered, for the two threshold callbacks.
    package var definition: EventDefinition?
    /// When the activity was registered, UTC milliseconds.
    package var registered: Instant?
    /// Instant from which use counts, UTC milliseconds.
    package var countedFrom: Instant?
    /// True when use reached the threshold before the event was registered (includesPastActivity); else
    /// absent.
    package var past: Bool?
    /// IANA name of the member's time zone, in which the occurrence was computed.
    @Field(.publicText) package var zone: String?
}
