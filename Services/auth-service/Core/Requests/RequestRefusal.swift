import Contract
import Schedules
import Units

/// Why something cannot be done with a request for more time.
enum RequestRefusal {
    static func unknown(_ id: String) -> ServiceError {
        ServiceError(
            .notFound,
            "there is no request '\(VisibleText.escaped(VisibleText.shortened(id, bytesMax: 64)))'",
            remedy: "See `screentime requests`.")
    }

    static func otherLength(_ open: TimeRequest) -> ServiceError {
        ServiceError(
            .conflict,
            "the request \(open.id) for \(open.lengthWords) with \(open.subjectWords) is still pending",
            remedy: "Wait for its decision, or withdraw it first: screentime requests withdraw \(open.id)")
    }

    static let unjudgedClock = ServiceError(
        .unavailable, "activity-center has not judged the machine's clock since auth-service started",
        remedy: "Repeat it when activity-center runs; see `screentime status`.")

    static let noMoreMinute = ServiceError(
        .notAuthorized, "there is no one more minute for this member",
        remedy: "Ask for more time, or allow it: screentime member set NAME --one-more-minute on")

    static func minuteIsUsed(_ asked: TimeRequest) -> ServiceError {
        ServiceError(
            .conflict, "one more minute was used today for \(asked.subjectWords)",
            remedy: "Ask for more time instead.")
    }

    static let minuteIsForgotten = ServiceError(
        .conflict, "one more minute was used today for something that was forgotten since",
        remedy: "Ask for more time instead, or for the minute tomorrow.")

    static func tooEarly(_ request: TimeRequest, _ opens: Instant, _ zone: Zone) -> ServiceError {
        guard opens < request.dayEnd else {
            return ServiceError(
                .notAuthorized,
                "you can approve your own request from \(words(opens, zone)) on, and it expires at "
                    + words(request.dayEnd, zone),
                remedy: "Ask again when the next day has begun. To deny it now: screentime requests deny "
                    + request.id)
        }
        return ServiceError(
            .notAuthorized, "you can approve your own request from \(words(opens, zone)) on",
            remedy: "Wait until then, and approve it again; or deny it now: screentime requests deny "
                + request.id)
    }

    /// Another decision, or one on a request that ended without.
    static func isOver(_ request: TimeRequest, _ zone: Zone) -> ServiceError {
        let at = zone.timestamp(at: request.decided ?? request.dayEnd)
        let how =
            switch request.state {
            case .pending: "is pending"
            case .approved:
                "was approved at \(at) for \(EnglishWords.length(minutes: request.granted)), until "
                    + words(request.end ?? request.dayEnd, zone)
            case .denied: "was denied at \(at)"
            case .withdrawn: "was withdrawn at \(at)"
            case .expired: "expired at \(at), the end of the day"
            }
        let remedy = request.state == .approved
            ? "What it opened is ended by: screentime exceptions end \(request.id)" : "Make a new request."
        return ServiceError(.conflict, "the request \(request.id) \(how)", remedy: remedy)
    }

    /// RFC 3339 in the member's zone, of an end or of a time from which something is open.
    private static func words(_ instant: Instant, _ zone: Zone) -> String {
        zone.timestamp(at: instant.secondNotBefore)
    }
}

extension TimeRequest {
    /// What it asks for, in a sentence.
    var lengthWords: String { EnglishWords.length(minutes: minutes) }

    /// How much a request opens.
    enum Scope {
        case app
        case site
        /// All apps, or all sites.
        case everything
        /// The apps of a category.
        case category
        case sitesOfCategory
    }

    var scope: Scope {
        switch kind {
        case .app: .app
        case .domain: .site
        case .category where subject == "all", .domainCategory where subject == "all": .everything
        case .category: .category
        case .domainCategory: .sitesOfCategory
        }
    }

    /// The subject, in a sentence.
    var subjectWords: String {
        switch scope {
        case .app, .site: kind.readable(subject)
        case .everything: kind == .domainCategory ? "all sites" : "all apps"
        case .category: "the category \(subject)"
        case .sitesOfCategory: "sites of the category \(subject)"
        }
    }
}
