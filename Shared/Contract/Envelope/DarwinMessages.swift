package import JSON

/// Tells every program that a name was posted: a Darwin notification, which carries nothing but its name.
@Method("darwin.post", of: .notifier, .write, for: .authorizedClient)
package enum DarwinPost: Method {
    @Record("darwin.post.params")
    package struct Params: Record {
        /// 1 to 512 bytes; a reverse domain name by custom.
        @Field(.publicText) package var name: String = ""
    }
    package typealias Result = Written
}

/// A Darwin notification was posted; one event for each post, in their order.
@Event("darwin.posted", of: .notifier)
package struct DarwinPosted: EventData {
    /// As posted.
    @Field(.publicText) package var name: String = ""
    /// Bundle id of who posted it; absent: the person or a service.
    @Field(.personal) package var client: String?
}
