package import JSON
package import Units

/// Where a callback is.
package enum DeliveryState: String, NameEnum {
    case waiting
    case running
    case delivered
    case failed
}

/// The state of one callback on its way to one extension.
@Record
package struct Delivery: Record {
    /// Grows.
    package var id: Int64 = 0
    /// Apple's name of the callback.
    package var callback: String = ""
    /// What happened.
    package var about: ActivityCallback = ActivityCallback()
    /// Bundle id of the extension; absent: none installed for the client.
    @Field(name: "extension") package var program: String?
    /// Where it is.
    package var state: DeliveryState = .waiting
    /// 1 for the first.
    package var attempt: Int64 = 0
    /// When monitor-runner took it in.
    package var received: Instant = 0
    /// When the extension returned, or it was given up.
    package var finished: Instant?
    /// Why it failed.
    package var error: String?
    /// While it waits: not before this instant.
    package var due: Instant?
    /// When the last attempt began: it was handed to the extension.
    package var started: Instant?
    /// Attempts that failed; absent: none.
    package var failures: Int64?
}

/// The callbacks and how their delivery stands, newest last.
@Method("delivery.list", of: .monitor, .read, for: .person)
package enum DeliveryList: Method {
    @Record("delivery.list.params")
    package struct Params: Record {
        /// Only of this activity.
        package var activity: String?
        /// At most so many of the newest; default 100.
        package var limit: Int64?
        /// Only deliveries before this one, by id: `previous` of the page after it.
        package var before: Int64?
    }

    @Record("delivery.list.result")
    package struct Result: Record {
        /// In order of arrival.
        package var deliveries: [Delivery] = []
        /// Older ones are left: ask with it as `before`; absent: this was all.
        package var previous: Int64?
    }
}

/// An extension returned from a callback.
@Event("callback.delivered", of: .monitor)
package struct CallbackDelivered: EventData {
    /// As it ended.
    package var delivery: Delivery = Delivery()
}

/// A callback was given up.
@Event("callback.failed", of: .monitor)
package struct CallbackFailed: EventData {
    /// As it ended, with the reason.
    package var delivery: Delivery = Delivery()
}

/// Gives up the callback that an extension has not returned from, and ends its process.
@Method("delivery.skip", of: .monitor, .write, for: .person)
package enum DeliverySkip: Method {
    @Record("delivery.skip.params")
    package struct Params: Record {
        /// Bundle id of the extension.
        @Field(name: "extension") package var program: String = ""
    }

    @Record("delivery.skip.result")
    package struct Result: Record {
        /// What is given up, as it stood; absent: none was on its way.
        package var delivery: Delivery?
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}
