package import JSON

/// Posts a Darwin notification to all programs. It has a name and no other content.
@Method("darwin.post", of: .notifier, .write, for: .authorizedClient)
package enum DarwinPost: Method {
    /// The name to post.
    @Record("darwin.post.params")
    package struct Params: Record {
        /// 1 to 512 bytes; by convention a reverse domain name.
        @Field(.publicText) package var name: String = ""
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// A Darwin notification was posted; one event for each post, in their order.
@Event("darwin.posted", of: .notifier)
package struct DarwinPosted: EventData {
    /// Name of the notification.
    @Field(.publicText) package var name: String = ""
    /// Bundle id of its poster; absent: the person or a service.
    @Field(.personal) package var client: String?
}
