import Contract
import Testing

/// Codes never change: clients of last year branch on them.
@Suite struct ErrorCodeTests {
    private static let codes: [String: Int64] = [
        "parseError": -32700, "invalidRequest": -32600, "methodNotFound": -32601, "invalidParams": -32602,
        "internalError": -32603, "unavailable": -32005, "deadlineExceeded": -32006, "messageTooLong": -32007,
        "tooManyRequests": -32008, "wrongUser": -32009, "logTrimmed": -32010, "logRewound": -32011,
        "idempotencyConflict": -32012, "limitExceeded": -32013, "shuttingDown": -32014, "storageFull": -32015,
        "storageDamaged": -32016, "storageFailed": -32017, "notFound": -32018, "alreadyExists": -32019,
        "conflict": -32020, "notAuthorized": -32021, "accessDenied": -32022, "restricted": -32023,
        "invalidAccountType": -32024, "invalidArgument": -32025, "authorizationConflict": -32026,
        "authorizationCanceled": -32027, "networkError": -32028, "authenticationMethodUnavailable": -32029,
        "excessiveActivities": -32030, "intervalTooLong": -32031, "intervalTooShort": -32032,
        "invalidDateComponents": -32033, "unauthorized": -32034,
    ]

    @Test func noCodeMovesAndNoneIsSharedOrGone() {
        for (name, code) in Self.codes { #expect(ErrorName(rawValue: name)?.code == code, "\(name)") }
        #expect(Set(ErrorName.allCases.map(\.code)).count == ErrorName.allCases.count)
        #expect(ErrorName.allCases.allSatisfy { -32_999 ... -32_000 ~= $0.code })
    }

    @Test func anErrorNameThatIsNotKnownKeepsItsWords() throws {
        let answer = #"{"code":-32099,"message":"New.","data":{"name":"brandNew","remedy":"Update."}}"#
        let error = try ErrorObject.decode(Array(answer.utf8)).serviceError
        #expect(error == ServiceError(.internalError, "New.", remedy: "Update."))
    }
}
