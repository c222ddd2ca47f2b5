/// A program that extends an app. Matches Apple's ExtensionFoundation.
@MainActor @preconcurrency
public protocol AppExtension {
    associatedtype Configuration
    /// How the extension is presented.
    var configuration: Configuration { get }
    /// The host creates the extension once, at the start of the program.
    init()
    /// The entry point. Serves the host until it no longer needs the extension.
    static func main() throws
}

/// A part of an extension's user interface. Matches Apple's ExtensionKit.
@MainActor @preconcurrency
public protocol AppExtensionScene {
    associatedtype Body: AppExtensionScene
    var body: Body { get }
}

extension Never: AppExtensionScene {}

/// The configuration of an extension with a user interface: its scenes.
public struct AppExtensionSceneConfiguration {
    let scene: any AppExtensionScene

    /// - Parameter scene: the content of the extension.
    public init(_ scene: some AppExtensionScene) { self.scene = scene }
}
