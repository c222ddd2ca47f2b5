internal import ExtensionLink
public import SwiftUI

/// One report of a report extension: converts usage data to the content of its view.
@MainActor @preconcurrency
public protocol DeviceActivityReportScene: AppExtensionScene {
    /// The report that this scene renders.
    var context: DeviceActivityReport.Context { get }
    associatedtype Configuration
    /// Called again when the filter or the data changes. The extension has no network access and cannot write
    /// files.
    func makeConfiguration(
        representing data: DeviceActivityResults<DeviceActivityData>
    ) async -> Configuration
    associatedtype Content: View
    @ViewBuilder var content: (Configuration) -> Content { get }
}

extension DeviceActivityReportScene {
    /// Provided; do not implement it.
    public var body: some AppExtensionScene { ReportSceneBody() }
}

/// The scene's body, which is never evaluated.
private struct ReportSceneBody: AppExtensionScene {
    var body: Never { preconditionFailure("a report scene is rendered through its content") }
}

/// A list of scenes, as the builder combines them. Not a report itself.
struct ReportSceneList: DeviceActivityReportScene {
    let scenes: [any DeviceActivityReportScene]

    /// The context of the first scene.
    var context: DeviceActivityReport.Context {
        scenes.first?.context ?? DeviceActivityReport.Context("")
    }

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async {}

    var content: (()) -> EmptyView { return { _ in EmptyView() } }
}

/// Combines the scenes of a report extension.
@MainActor @preconcurrency
@resultBuilder public struct DeviceActivityReportBuilder {
    /// A single scene.
    public static func buildBlock<Scene: DeviceActivityReportScene>(
        _ scene: Scene
    ) -> some DeviceActivityReportScene { scene }

    /// Any number of scenes. (Apple's take up to 20.)
    public static func buildBlock<First: DeviceActivityReportScene, each Scene: DeviceActivityReportScene>(
        _ first: First, _ scene: repeat each Scene
    ) -> some DeviceActivityReportScene {
        var scenes: [any DeviceActivityReportScene] = [first]
        for scene in repeat each scene { scenes.append(scene) }
        return ReportSceneList(scenes: scenes)
    }
}
