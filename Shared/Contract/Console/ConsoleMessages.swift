package import JSON
package import Units

/// Makes an address that signs in the browser that opens it, once.
@Method("console.open", ofAgent: AgentName.console, .read, for: .person)
package enum ConsoleOpen: AgentMethod {
    /// Where to go.
    @Record("console.open.params")
    package struct Params: Record {
        /// Path of the page to show first, as /limits; absent: /today.
        package var page: String?
    }

    /// The way into the console.
    @Record("console.open.result")
    package struct Result: Record {
        /// `http://127.0.0.1:PORT/sign-in#TICKET`, with `?to=PAGE` before the ticket if a page was named.
        /// Whoever opens it is signed in as the person: show it to nobody else, and write it to no log.
        package var address: String = ""
        /// How long it is good for.
        package var validFor: Milliseconds = 0
    }
}

/// Where the console is found if nothing else is set.
package enum ConsoleAddress {
    /// Port of 127.0.0.1: not assigned by IANA, and below those that the kernel gives to clients.
    package static let port: UInt16 = 17_276
}
