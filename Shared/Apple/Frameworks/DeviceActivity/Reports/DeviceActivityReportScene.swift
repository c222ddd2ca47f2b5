internal import ExtensionLink
public import SwiftUI

/// One report of a report extension: turns figures into what its view shows.
@MainActor @preconcurrency
public protocol DeviceActivityReportScene: AppExtensionScene {
    /// Which report it draws.
    var context: DeviceActivityReport.Context { get }
    associatedtype Configuration
    /// Asked again when the filter or the figures change. The extension has no network, and can write
    /// nothing.
    func makeConfiguration(
        representing data: DeviceActivityResults<DeviceActivityData>
    ) async -> Configuration
    associatedtype Content: View
    @ViewBuilder var content: (Configuration) -> Content { get }
}

extension DeviceActivityReportScene {
    /// Do not write your own.
    public var body: some AppExtensionScene { ReportSceneBody() }
}

/// Nothing more is behind a report's scene.
private struct ReportSceneBody: AppExtensionScene {
    var body: Never { preconditionFailure("a report's scene is drawn by its content") }
}

/// Several scenes in one: a list of them, not a report itself.
struct ReportSceneList: DeviceActivityReportScene {
    let scenes: [any DeviceActivityReportScene]

    /// Of the first.
    var context: DeviceActivityReport.Context {
        scenes.first?.context ?? DeviceActivityReport.Context("")
    }

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async {}

    var content: (()) -> EmptyView { return { _ in EmptyView() } }
}

/// Puts the scenes of a report extension together.
@MainActor @preconcurrency
@resultBuilder public struct DeviceActivityReportBuilder {
    /// One scene.
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
