internal import Contract
internal import ExtensionLink
internal import FoundationExtras
internal import JSON
internal import SwiftUI

/// A report extension. Mark it `@main` and list its scenes in `body`.
@MainActor @preconcurrency
public protocol DeviceActivityReportExtension: AppExtension {
    associatedtype Body: DeviceActivityReportScene
    @DeviceActivityReportBuilder var body: Body { get }
}

extension DeviceActivityReportExtension {
    /// Provided; do not implement it.
    public var configuration: AppExtensionSceneConfiguration { AppExtensionSceneConfiguration(body) }

    /// Serves the host. Reports are created and rendered on the main actor, one at a time.
    public static func main() {
        let reports = ReportScenes(Self().body)
        Link.shared.name(principal: Self.self)
        Link.shared.serve(ReportData.self) { params, answer in
            Task { @MainActor in
                reports.add(params)
                answer.give(.success(Nothing()))
            }
        }
        Link.shared.serve(ReportMake.self) { params, answer in
            Task { @MainActor in
                do {
                    let drawn = try await reports.draw(params)
                    answer.give(.success(ReportMake.Result(html: drawn.html, text: drawn.text)))
                } catch let error as ServiceError {
                    answer.give(.failure(error))
                } catch {
                    answer.give(
                        .failure(
                            ServiceError(
                                .internalError, "the report cannot be rendered: \(error)",
                                remedy: "Correct the view that it names.")))
                }
            }
        }
        Link.shared.serveForever(MainThread.serve)
    }
}

/// The reports that an extension can render.
@MainActor final class ReportScenes {
    private let scenes: [any DeviceActivityReportScene]
    private var parts = ReportParts()

    init(_ body: some DeviceActivityReportScene) { scenes = Self.flat(body) }

    private static func flat(_ scene: any DeviceActivityReportScene) -> [any DeviceActivityReportScene] {
        guard let list = scene as? ReportSceneList else { return [scene] }
        return list.scenes.flatMap { flat($0) }
    }

    /// Keeps a part of the data of a report until it is drawn.
    func add(_ part: ReportData.Params) { parts.add(part) }

    /// - Throws: `notFound` if no scene has the context; any error of rendering.
    func draw(_ params: ReportMake.Params) async throws -> RenderedView {
        let earlier = try parts.take(params)
        guard let scene = scenes.first(where: { $0.context.rawValue == params.context }) else {
            let known = scenes.map { "'\($0.context.rawValue)'" }.joined(separator: ", ")
            throw ServiceError(
                .notFound, "the extension has no report '\(params.context.prefix(64))'",
                remedy: "It has \(known).")
        }
        let data = try ReportParts.joined(earlier + params.data)
        return try await Self.draw(
            scene, DeviceActivityResults(elements: data.map { DeviceActivityData($0) }))
    }

    private static func draw<Scene: DeviceActivityReportScene>(
        _ scene: Scene, _ data: DeviceActivityResults<DeviceActivityData>
    ) async throws -> RenderedView {
        let configuration = await scene.makeConfiguration(representing: data)
        return try await HTMLRenderer.settledPage(
            title: scene.context.rawValue, scene.content(configuration))
    }
}
