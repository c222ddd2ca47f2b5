package import CommandKit

/// Commands for developers of extensions that call no service.
package enum ExtensionTool {
    package typealias Command = CommandKit.Command<@Sendable (Given) throws -> Int32>

    package static let commands = [newCommand, checkCommand, flagsCommand, bundleCommand]
}
