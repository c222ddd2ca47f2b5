package import CommandKit

/// What a developer of extensions needs before one is installed: commands that call no service.
package enum ExtensionTool {
    package typealias Command = CommandKit.Command<@Sendable (Given) throws -> Int32>

    package static let commands = [newCommand, checkCommand, flagsCommand, bundleCommand]
}
