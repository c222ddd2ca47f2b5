package import Units

/// What can be used: an app or a web domain.
package struct Subject: Hashable, Sendable {
    /// The raw values are stored; never change them.
    package enum Kind: UInt8, Hashable, Sendable { case app = 1, domain = 2 }

    /// App or domain.
    package let kind: Kind
    /// App: desktop-file id without `.desktop`, or `exe:<path>`; imported ids are unchanged. Domain: host of
    /// the page in lower case; empty for a page without a host.
    package let id: String

    /// The subject of this kind with this id.
    package init(_ kind: Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }

    /// The app with this id.
    package static func app(_ id: String) -> Subject { Subject(.app, id) }
    /// The domain in canonical spelling, see ``DomainName``.
    package static func domain(_ host: String) -> Subject { Subject(.domain, host) }

    /// Prefix of the id of an app without a desktop entry; the path of its program follows.
    package static let programPrefix = "exe:"

    /// An app that cannot be identified. Its use counts as session time, because somebody was there.
    package static let unknownApp = Subject.app("unknown")
}

extension Subject: Comparable {
    package static func < (left: Subject, right: Subject) -> Bool {
        left.kind != right.kind ? left.kind.rawValue < right.kind.rawValue : left.id < right.id
    }
}

/// A completed interval of use of one subject on one device.
package struct Use: Hashable, Sendable {
    /// What was used.
    package let subject: Subject
    /// From when until when.
    package let interval: TimeRange

    /// Use of `subject` during `interval`.
    package init(_ subject: Subject, _ interval: TimeRange) {
        self.subject = subject
        self.interval = interval
    }
}

/// An event that is counted: a pickup or a notification.
package struct Mark: Hashable, Sendable {
    /// The raw values are stored; never change them.
    package enum Kind: UInt8, Hashable, Sendable { case pickup = 1, notification = 2 }

    /// Pickup or notification.
    package let kind: Kind
    /// When it occurred.
    package let at: Instant
    /// Pickup: the first app used after the unlock; nil if none was. Notification: the app that showed it.
    package let subject: Subject?

    /// A mark at an instant.
    package init(_ kind: Kind, at: Instant, subject: Subject?) {
        self.kind = kind
        self.at = at
        self.subject = subject
    }
}
