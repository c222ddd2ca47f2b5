import Bus
import Contract
import JSON
package import Loop
import ServiceKit

/// What report extensions drew, for a frame of a page: `GET /scene/APP?context=NAME&filter=JSON`, with the
/// parameters of `report.render`.
@LoopActor package final class Scenes {
    nonisolated static let path = "/scene/"
    private let services: Services

    package init(_ services: Services) { self.services = services }

    /// A page in any case, also for a refusal: a frame shows nothing else.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(ServiceError) {
            let params = ReportRender.Params(
                client: String(request.path.dropFirst(Self.path.count)),
                context: request.query["context"] ?? "",
                filter: try Self.filter(request.query["filter"]))
            let scene = try await services.call(
                ReportRender.self, params, CallOptions(deadline: ConsoleLimits.scene))
            return HTTPResponse(
                Packed(Array(scene.html.utf8), isText: true), type: Self.type, caching: "no-cache",
                to: request,
                Gate.fieldsOfScene.map { ($0.name, $0.value) })
        } catch { return Self.page(of: error) }
    }

    private static let type = "text/html; charset=utf-8"

    private static func filter(_ text: String?) throws(ServiceError) -> ReportQuery.Params {
        guard let text else { return ReportQuery.Params() }
        do throws(JSONError) { return try ReportQuery.Params.decodeStrictly(Array(text.utf8)) } catch {
            throw ServiceError(
                .invalidParams, "the filter is not one of report.query: \(error.message)",
                remedy: "Send the params of report.query as JSON.")
        }
    }

    private static func page(of error: ServiceError) -> HTTPResponse {
        let html = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>No scene</title>
            <style>
            :root { color-scheme: light dark } body { font: 15px/1.5 system-ui, sans-serif; margin: 16px }
            </style></head><body><p>\(HTMLText.escaped(error.message)).</p>
            <p>\(HTMLText.escaped(error.remedy))</p></body></html>
            """
        return HTTPResponse(
            error.name.status, [("Content-Type", type), ("Cache-Control", "no-store")] + Gate.fieldsOfScene,
            .bytes(Array(html.utf8)))
    }
}
