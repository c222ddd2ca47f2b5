/// A program that extends an app. Named as in Apple's ExtensionFoundation.
@MainActor @preconcurrency
public protocol AppExtension {
    associatedtype Configuration
    /// How the extension is presented.
    var configuration: Configuration { get }
    init()
    /// The program: serves the system until it needs the extension no longer.
    static func main() throws
}

/// A part of an extension's user interface. Named as in Apple's ExtensionKit.
@MainActor @preconcurrency
public protocol AppExtensionScene {
    associatedtype Body: AppExtensionScene
    var body: Body { get }
}

extension Never: AppExtensionScene {}

/// The scenes of an extension.
public struct AppExtensionSceneConfiguration {
    let scene: any AppExtensionScene

    /// - Parameter scene: what the extension shows.
    public init(_ scene: some AppExtensionScene) { self.scene = scene }
}
