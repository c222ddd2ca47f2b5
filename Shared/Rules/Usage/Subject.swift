package import Units

/// What is used: an app or a web domain.
package struct Subject: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable { case app = 1, domain = 2 }

    package let kind: Kind
    /// An app: its desktop-file id without `.desktop`, else `exe:<path>`; imported ids as they came.
    /// A domain: the host of the page, lower case; empty: a visited page that has none.
    package let id: String

    package init(_ kind: Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }

    package static func app(_ id: String) -> Subject { Subject(.app, id) }
    package static func domain(_ host: String) -> Subject { Subject(.domain, host) }

    /// Begins the id of an app that has no desktop entry; the path of its program follows.
    package static let programPrefix = "exe:"

    /// A focus that could not be named. It counts as session time: somebody was there.
    package static let unknownApp = Subject.app("unknown")
}

extension Subject: Comparable {
    package static func < (left: Subject, right: Subject) -> Bool {
        left.kind != right.kind ? left.kind.rawValue < right.kind.rawValue : left.id < right.id
    }
}

/// One closed stretch of use of one subject on one device.
package struct Use: Hashable, Sendable {
    package let subject: Subject
    package let interval: TimeRange

    package init(_ subject: Subject, _ interval: TimeRange) {
        self.subject = subject
        self.interval = interval
    }
}

/// Something counted rather than measured.
package struct Mark: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable { case pickup = 1, notification = 2 }

    package let kind: Kind
    package let at: Instant
    /// A pickup's app: the first one after the unlock; `nil`: a pickup without any app.
    package let subject: Subject?

    package init(_ kind: Kind, at: Instant, subject: Subject?) {
        self.kind = kind
        self.at = at
        self.subject = subject
    }
}
