package import CommandKit
package import Loop
import ServiceKit
import Time

/// A command as it was called: its arguments and options, and the way to the services.
@LoopActor package final class Invocation {
    package nonisolated let given: Given
    private var opened: Session?

    init(_ given: Given) { self.given = given }

    package nonisolated var arguments: [String] { given.arguments }
    package nonisolated func has(_ option: String) -> Bool { given.has(option) }
    package nonisolated func value(_ option: String) -> String? { given.value(option) }

    /// Every value of an option that may be repeated. If nil, it was not given.
    package nonisolated func values(_ option: String) -> [String]? { given.values(option) }

    /// - Throws: a usage error that names the range.
    package nonisolated func number(
        _ option: String, in range: ClosedRange<Int>
    ) throws(CommandError) -> Int? {
        try given.number(option, in: range)
    }

    /// The way to the services; opened on first use.
    package func session() throws -> Session {
        if let opened { return opened }
        let configuration = try Configuration(environment: Configuration.processEnvironment)
        try configuration.runtime.checkLength()
        WallTime.follow(clockOf: configuration.stateDirectory)
        let session = Session(configuration)
        opened = session
        return session
    }
}
