import Foundation
import PackagePlugin

/// Generates the entry point of an extension from the principal class in its Info.plist, so that sources
/// written for iOS build unchanged.
@main struct ScreenTimeExtensionPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let list = target.directoryURL.appending(path: "Info.plist")
        guard FileManager.default.fileExists(atPath: list.path) else {
            Diagnostics.error(
                "\(target.directoryURL.path) has no Info.plist. Put one there that names the extension "
                    + "point and the principal class, as docs/extensions.md shows.")
            return []
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "ExtensionEntryPoint.swift")
        return [
            .buildCommand(
                displayName: "Reading the principal class of \(target.name)",
                executable: try context.tool(named: "extension-entry-point").url,
                arguments: [list.path, output.path], inputFiles: [list], outputFiles: [output])
        ]
    }
}
