package import Contract
import ExtensionLink
import JSON
package import Loop

/// Runs a program once, with its confinement, and asks what it serves: a wrong class, or a program for
/// another extension point, is an error at installation instead of at the first callback.
@LoopActor package struct InstallProof {
    private let host: ExtensionHosting

    package init(host: ExtensionHosting) { self.host = host }

    /// - Parameter withoutBubblewrap: whether the person allows running without bubblewrap.
    /// - Returns: its record, with the class that the program reports.
    /// - Throws: `invalidArgument` with what it serves instead, or why it did not report it.
    package func prove(
        _ bundle: CopiedBundle, client: String, withoutBubblewrap: Bool?
    ) async throws(ServiceError) -> ExtensionRecord {
        var program = bundle.record(client: client)
        program.withoutBubblewrap = withoutBubblewrap
        let hosted = HostedExtension(program, host, for: .proof)
        let said: Describe.Result
        do throws(HostedFailure) {
            let answer = try await hosted.request(
                HostedRequest(
                    method: Describe.name, params: RawJSON(encoding: Nothing()),
                    deadline: HostingLimits.proof))
            await hosted.finish()
            hosted.retire("it was asked what it serves")
            said = try Self.decode(answer, program)
        } catch {
            await hosted.finish()
            hosted.retire("it was asked what it serves")
            // Errors of the host's disk are not the bundle's fault.
            if [.storageFull, .storageFailed].contains(error.error.name), !error.isOfProgram {
                throw error.error
            }
            throw Self.failure(program, error, hosted.output)
        }
        guard said.points.contains(program.point) else {
            let served = said.points.map(\.rawValue).joined(separator: ", ")
            throw ServiceError(
                .invalidArgument,
                "'\(program.executable)' serves \(served.isEmpty ? "nothing" : served), and Info.plist says "
                    + program.point.rawValue,
                remedy:
                    "Correct the extension point in Info.plist, or build the other program into the bundle."
            )
        }
        guard let wanted = program.principalClass, let principal = said.principal else { return program }
        guard ExtensionBundle.isClass(principal, parts: 2...2) else {
            throw ServiceError(
                .invalidArgument,
                "'\(program.executable)' names as its principal class '\(principal.shortened)', which is not "
                    + "Module.Class",
                remedy: "Build it with this version of the frameworks, and its class outside of other types.")
        }
        // A module that Info.plist leaves to the build was only guessed from the program's file name.
        let isSame =
            bundle.bundle.namesModule
            ? wanted == principal : Self.className(wanted) == Self.className(principal)
        guard !isSame else {
            var proven = program
            proven.principalClass = principal
            return proven
        }
        throw ServiceError(
            .invalidArgument,
            "NSExtensionPrincipalClass in Info.plist is '\(wanted)', and the program's principal class is "
                + "'\(principal)'",
            remedy: "Correct Info.plist and build the program again: its class is taken from there.")
    }

    private static func className(_ whole: String) -> Substring? { whole.split(separator: ".").last }

    private static func decode(
        _ answer: RawJSON, _ program: ExtensionRecord
    ) throws(HostedFailure) -> Describe.Result {
        do { return try Describe.Result.decode(answer.bytes) } catch {
            throw HostedFailure(
                kind: .refused, error: ServiceError(.invalidParams, error.message, remedy: "See Describe."))
        }
    }

    private static func failure(
        _ program: ExtensionRecord, _ failure: HostedFailure, _ output: [String]
    ) -> ServiceError {
        let last = output.last.map { "; it last printed: \($0)" } ?? ""
        return ServiceError(
            .invalidArgument,
            "'\(program.executable)' did not say what it serves: \(failure.reason)\(last)",
            remedy:
                "Link it with this version of the frameworks; `screentime logs \(program.id)` has all it printed."
        )
    }
}
