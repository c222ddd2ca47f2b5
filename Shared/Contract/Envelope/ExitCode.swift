/// The exit codes of the command line and of the apps' commands, after sysexits.h; listed in the README.
package enum ExitCode {
    /// Success.
    package static let ok: Int32 = 0
    /// A refusal without a code of its own; also: `doctor` found an error.
    package static let refused: Int32 = 1
    /// EX_USAGE: the command line is wrong.
    package static let usage: Int32 = 64
    /// EX_DATAERR: an input file cannot be read as what it should be.
    package static let badData: Int32 = 65
    /// EX_NOINPUT: an input file is missing or unreadable.
    package static let noInput: Int32 = 66
    /// EX_UNAVAILABLE: a service cannot be reached.
    package static let unavailable: Int32 = 69
    /// EX_SOFTWARE: an error in a program of the system.
    package static let bug: Int32 = 70
    /// EX_TEMPFAIL: trying again later may succeed.
    package static let temporary: Int32 = 75
    /// EX_NOPERM: the caller lacks the right.
    package static let notAllowed: Int32 = 77

    /// The exit code for an error of a service.
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
