/// The exit codes of the command line and of the apps' commands, after sysexits.h; listed in the README.
package enum ExitCode {
    package static let ok: Int32 = 0
    /// Refused, for a reason that no other code names; also: `doctor` found an error.
    package static let refused: Int32 = 1
    package static let usage: Int32 = 64
    package static let badData: Int32 = 65
    package static let noInput: Int32 = 66
    package static let unavailable: Int32 = 69
    package static let bug: Int32 = 70
    package static let temporary: Int32 = 75
    package static let notAllowed: Int32 = 77

    package static func of(_ name: ErrorName) -> Int32 {
        switch name {
        case .unavailable: unavailable
        case .internalError, .parseError, .invalidRequest, .methodNotFound, .idempotencyConflict: bug
        case .deadlineExceeded, .tooManyRequests, .shuttingDown, .storageFull, .storageDamaged,
            .storageFailed:
            temporary
        case .notAuthorized, .accessDenied, .wrongUser, .unauthorized: notAllowed
        default: refused
        }
    }
}
