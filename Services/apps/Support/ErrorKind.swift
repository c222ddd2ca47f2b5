internal import CommandKit
internal import Contract
internal import Foundation

/// What an app's command makes of an error, whoever threw it.
struct ErrorKind {
    /// Of the contract; nil: it is none of the system's.
    let name: ErrorName?

    init(_ error: any Error) {
        switch error {
        case let error as ServiceError: name = error.name
        // The frameworks' own, which carries the number of the name.
        case let error as any CustomNSError where type(of: error).errorDomain == "ScreenTimeError":
            name = ErrorName.allCases.first { $0.code == Int64(error.errorCode) }
        default: name = nil
        }
    }

    /// Nobody said whether it was done.
    var leavesUnknown: Bool { name == .deadlineExceeded }

    var exitCode: Int32 {
        switch name {
        case nil: ExitCode.refused
        case .invalidArgument: CommandError.usage
        case let name?: ExitCode.of(name)
        }
    }
}
