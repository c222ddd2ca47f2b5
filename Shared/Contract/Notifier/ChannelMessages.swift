package import JSON
package import Units

/// How weekly reports leave the machine.
package enum ChannelKind: String, NameEnum {
    /// As a mail, by the machine's sendmail.
    case email
    /// As a signed POST (standardwebhooks.com).
    case webhook
}

/// A channel that is switched on.
@Record
package struct Channel: Record {
    /// Its kind: there is one of each.
    package var kind: ChannelKind = .email
    /// Address of a mailbox, or URL.
    @Field(.personal) package var address: String = ""
    /// When it delivered last, UTC milliseconds.
    package var delivered: Instant?
    /// Reports that wait for it.
    package var waiting: Int64 = 0
    /// Why the last attempt failed, a sentence; absent if it did not, and none waits that failed before.
    @Field(.personal) package var problem: String?
    /// When the next attempt is due, UTC milliseconds.
    package var next: Instant?
}

/// Switches a channel on, changes it, or switches it off.
@Method("channel.set", of: .notifier, .write, for: .person)
package enum ChannelSet: Method {
    /// The channel.
    @Record("channel.set.params")
    package struct Params: Record {
        /// Its kind.
        package var kind: ChannelKind = .email
        /// Address of a mailbox, up to 254 bytes; or a URL of up to 2048: https, or http on this machine's
        /// loopback. Absent: it is switched off, and what waits for it is dropped.
        @Field(.personal) package var address: String?
        /// For a webhook: the key of its signatures, 24 to 64 bytes as `whsec_` and base64. Absent: the
        /// present one of this address, or a new one.
        @Field(.personal) package var secret: String?
    }

    /// The end of the log, and the key.
    @Record("channel.set.result")
    package struct Result: Record {
        /// The key of a webhook that was switched on; it is not told again.
        @Field(.personal) package var secret: String?
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// Lists the channels that are switched on.
@Method("channel.list", of: .notifier, .read, for: .person)
package enum ChannelList: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// The channels.
    @Record("channel.list.result")
    package struct Result: Record {
        /// By kind.
        package var channels: [Channel] = []
    }
}
