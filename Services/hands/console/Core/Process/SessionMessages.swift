package import JSON
package import Units

/// The body of `POST /session`.
@Record
package struct SignIn: Record {
    /// What follows `#` in the address of `console.open`.
    package var ticket: String = ""
}

/// The answer to it.
@Record
package struct SignedIn: Record {
    /// To be sent as `X-CSRF-Token` with every POST.
    package var csrf: String = ""
}

/// The answer to `GET /session`: who is signed in, and what they may do.
@Record
package struct SessionDescription: Record {
    /// To be sent as `X-CSRF-Token` with every POST.
    package var csrf: String = ""
    /// Member id of the person who is signed in.
    package var member: String = ""
    /// Their name in the household; absent while auth-service cannot be asked.
    package var name: String?
    /// Their language as BCP 47, as `ko-KR`; absent: that of the browser.
    package var locale: String?
    /// Their region as two letters of ISO 3166, as `KR`, whose dates, numbers and weeks the page has; absent:
    /// that of the browser.
    package var region: String?
    /// The time by which the system lives, UTC milliseconds: that of a virtual clock if there is one.
    package var now: Instant = 0
    /// Their IANA time zone; absent: the machine's, or auth-service cannot be asked.
    package var zone: String?
    /// When their day begins, in minutes after midnight; absent while auth-service cannot be asked.
    package var dayStartMinutes: Int64?
    /// The methods that this person may call; what is not among them is not in the page.
    package var methods: [String] = []
    /// Version of the program.
    package var version: String = ""
    /// Version of the contract.
    package var contractVersion: String = ""
}
