internal import CommandKit
internal import Contract
internal import Foundation

/// An error from any source, as an app's command reports it.
struct ErrorKind {
    /// Name in the contract; nil if it is not an error of the system.
    let name: ErrorName?

    init(_ error: any Error) {
        switch error {
        case let error as ServiceError: name = error.name
        // An error of the frameworks, whose code is the number of the name.
        case let error as any CustomNSError where type(of: error).errorDomain == "ScreenTimeError":
            name = ErrorName.allCases.first { $0.code == Int64(error.errorCode) }
        default: name = nil
        }
    }

    /// Whether it is unknown if the request was done.
    var leavesUnknown: Bool { name == .deadlineExceeded }

    var exitCode: Int32 {
        switch name {
        case nil: ExitCode.refused
        case .invalidArgument: CommandError.usage
        case let name?: ExitCode.of(name)
        }
    }
}
