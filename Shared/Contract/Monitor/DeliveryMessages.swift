package import JSON
package import Units

/// State of the delivery of a callback.
package enum DeliveryState: String, NameEnum {
    case waiting
    case running
    case delivered
    case failed
}

/// The delivery of one callback to one extension.
@Record
package struct Delivery: Record {
    /// Number of the delivery; a later one has a greater number.
    package var id: Int64 = 0
    /// Apple's name of the callback.
    package var callback: String = ""
    /// What happened.
    package var about: ActivityCallback = ActivityCallback()
    /// Bundle id of the extension; absent: none installed for the client.
    @Field(name: "extension") package var program: String?
    /// Its state.
    package var state: DeliveryState = .waiting
    /// Number of the attempt; 1 for the first.
    package var attempt: Int64 = 0
    /// When monitor-runner received it.
    package var received: Instant = 0
    /// When the extension returned, or delivery was given up.
    package var finished: Instant?
    /// Why it failed.
    package var error: String?
    /// While waiting: it is not attempted before this instant.
    package var due: Instant?
    /// When the last attempt began, that is, when the extension received it.
    package var started: Instant?
    /// Number of failed attempts; absent if none failed.
    package var failures: Int64?
}

/// Lists callbacks with the state of their delivery, newest last.
@Method("delivery.list", of: .monitor, .read, for: .person)
package enum DeliveryList: Method {
    /// Filters and the page.
    @Record("delivery.list.params")
    package struct Params: Record {
        /// Only of this activity.
        package var activity: String?
        /// Maximum number, counted from the newest; default 100.
        package var limit: Int64?
        /// Only deliveries with a smaller id: `previous` of the answer before.
        package var before: Int64?
    }

    /// One page of deliveries.
    @Record("delivery.list.result")
    package struct Result: Record {
        /// In order of arrival.
        package var deliveries: [Delivery] = []
        /// Set when there are older ones: pass it as `before` in the next request.
        package var previous: Int64?
    }
}

/// An extension returned from a callback.
@Event("callback.delivered", of: .monitor)
package struct CallbackDelivered: EventData {
    /// The delivery in its final state.
    package var delivery: Delivery = Delivery()
}

/// The delivery of a callback was given up.
@Event("callback.failed", of: .monitor)
package struct CallbackFailed: EventData {
    /// The delivery in its final state, with the reason.
    package var delivery: Delivery = Delivery()
}

/// Gives up the callback that an extension has not returned from, and kills its process.
@Method("delivery.skip", of: .monitor, .write, for: .person)
package enum DeliverySkip: Method {
    /// The extension whose callback is given up.
    @Record("delivery.skip.params")
    package struct Params: Record {
        /// Bundle id of the extension.
        @Field(name: "extension") package var program: String = ""
    }

    /// The delivery that is given up.
    @Record("delivery.skip.result")
    package struct Result: Record {
        /// The delivery that is given up, in its state before; absent: none was running.
        package var delivery: Delivery?
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}
