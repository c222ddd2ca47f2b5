import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import ServiceKit

/// What every method of the contract refuses, asked of every service in this process; the methods come from
/// the registry.
@Suite(.serialized) @LoopActor struct EveryMethodTests {
    /// The refusal of each method of `one` to what `params` makes of it; nil: there was none.
    private func refusals(
        of one: FollowerCase, withKeys: Bool = true, _ params: (any Method.Type) -> String?
    ) async throws -> [String: ServiceError?] {
        let directory = try TestDirectory()
        let (service, core) = try one.start(try directory.configuration(), StandingClock())
        defer { withExtendedLifetime(core) { service.close() } }
        let client = try RequestClient(
            to: one.name, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
        defer { client.close() }
        var found: [String: ServiceError?] = [:]
        for method in Registry.commonMethods + Registry.methods.filter({ $0.owner == one.name }) {
            guard let params = params(method) else { continue }
            let answer: Result<RawJSON, ServiceError> = await withCheckedContinuation { continuation in
                client.sendRaw(
                    method: method.name, params: Array(params.utf8),
                    isWrite: withKeys && method.effect == .write,
                    traceparent: TraceContext.root().traceparent, options: CallOptions(deadline: 60_000)
                ) { continuation.resume(returning: $0) }
            }
            switch answer {
            case .success: found[method.name] = .some(nil)
            case .failure(let error): found[method.name] = error
            }
        }
        return found
    }

    @Test(arguments: FollowerCase.all)
    func aMisspeltParameterIsRefused(_ one: FollowerCase) async throws {
        let found = try await refusals(of: one) { _ in #"{"misspelt_parameter":1}"# }
        #expect(found.count > Registry.commonMethods.count)
        for (method, error) in found {
            #expect(error?.name == .invalidParams, "\(method) takes what it does not know")
        }
    }

    /// As required by each schema: `idempotency_key` is required.
    @Test(arguments: FollowerCase.all)
    func aWriteWithoutAKeyIsRefused(_ one: FollowerCase) async throws {
        func defaults<M: Method>(_ method: M.Type) -> String { Self.text(M.Params().encoded()) }
        let found = try await refusals(of: one, withKeys: false) { method in
            method.effect == .write ? defaults(method) : nil
        }
        #expect(found.count > 3)
        for (method, error) in found {
            #expect(error?.name == .invalidRequest, "\(method): \(String(describing: error))")
            #expect(error?.message.contains("idempotency_key") == true, "\(method)")
        }
    }

    /// Where a subject is named a token is refused; a method of each kind of place.
    @Test(arguments: FollowerCase.all)
    func aRawTokenIsNoName(_ one: FollowerCase) async throws {
        var asked = 0
        let found = try await refusals(of: one) { method in
            let params = Self.tokens(in: method)
            if params != nil { asked += 1 }
            return params
        }
        print("\(one.name.rawValue): \(asked) methods name subjects")
        for (method, error) in found {
            #expect(error?.name == .invalidParams, "\(method) takes a token for a name")
            #expect(error?.message.contains("token") == true, "\(method): \(error?.message ?? "")")
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Parameters with a token as subject; nil if the method is not tested.
    private static func tokens(in method: any Method.Type) -> String? {
        let known: [String: String] = [
            "selection.set":
                #"{"name":"a","client":"a.b","applications":["token:QUJD"],"categories":[],"web_domains":[]}"#,
            "monitoring.start":
                #"{"activities":[{"name":"a","schedule":{"intervalStart":{"hour":1},"intervalEnd":{"hour":2},"#
                + #""repeats":true},"events":[{"name":"e","applications":["token:QUJD"],"#
                + #""threshold":{"minute":5}}]}]}"#,
            "shield.explain": #"{"subject":"token:QUJD"}"#,
            "request.create": #"{"kind":"app","subject":"token:QUJD"}"#,
            "settings.write":
                #"{"store":"a","settings":[{"key":"shield.applications","value":["token:QUJD"]}]}"#,
        ]
        return known[method.name]
    }
}
