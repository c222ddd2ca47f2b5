package import Contract

/// Why a command did not do what it was asked: what was wrong, what to do, and the exit code.
package struct CommandError: Error, Equatable {
    package static let usage = ExitCode.usage
    package static let temporary = ExitCode.temporary

    package var code: Int32
    package var message: String
    package var remedy: String

    package init(_ code: Int32, _ message: String, remedy: String) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    package init(_ message: String, remedy: String, code: Int32 = ExitCode.refused) {
        self.init(code, message, remedy: remedy)
    }

    package init(_ error: ServiceError) {
        self.init(ExitCode.of(error.name), error.message, remedy: error.remedy)
    }

    /// Any error a command may throw.
    package init(anything error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as ServiceError: self.init(error)
        default:
            self.init(
                ExitCode.bug, "unexpected failure: \(error)", remedy: "This is a bug; please report it.")
        }
    }

    /// On one line: what was wrong, and what to do.
    package var sentence: String { "\(message)\(message.hasSuffix(".") ? "" : ".") \(remedy)" }
}
