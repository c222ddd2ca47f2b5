public import Combine
import Foundation
public import Observation

/// A program with a user interface. Here it renders its first scene once, with the actions for appearance,
/// writes the HTML to standard output or to the file in `SCREENTIME_APP_HTML`, and exits.
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    /// Renders the initial state of the app. Exit codes: 0 rendered, 70 it cannot be rendered, 73 the file
    /// cannot be written.
    @MainActor public static func main() async {
        let app = Self()
        do {
            guard RenderContext.ready(app) else { exit(70) }
            let page = try await HTMLRenderer.settledPage(
                title: ProcessInfo.processInfo.processName, SceneView(scene: app.body))
            if let path = ProcessInfo.processInfo.environment["SCREENTIME_APP_HTML"] {
                try Data(page.html.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            } else {
                FileHandle.standardOutput.write(Data(page.html.utf8))
            }
            exit(0)
        } catch let error as RenderError {
            RenderLog.warn(error.description)
            exit(70)
        } catch {
            RenderLog.warn("The page cannot be written: \(error). Check SCREENTIME_APP_HTML.")
            exit(73)
        }
    }
}

extension RenderContext {
    /// Installs the dynamic properties of an app.
    @MainActor static func ready(_ app: Any) -> Bool {
        RenderContext(pass: RenderPass()).install(propertiesOf: app)
    }
}

/// A part of an app's user interface.
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
extension Scene where Body == Never {
    public var body: Never {
        preconditionFailure("\(Self.self) is a primitive scene and has no body.")
    }
}
/// A scene that this module renders itself.
protocol PrimitiveScene { @MainActor var views: [AnyView] { get } }
extension Scene {
    var drawnViews: [AnyView] { (self as? any PrimitiveScene)?.views ?? body.drawnViews }
}
/// The first window of a scene.
struct SceneView<Content: Scene>: View {
    let scene: Content
    var body: some View { scene.drawnViews.first }
}

/// Builds the scenes of an app from a closure.
@MainActor @resultBuilder public struct SceneBuilder {
    public static func buildExpression<C: Scene>(_ content: C) -> C { content }
    public static func buildBlock<C: Scene>(_ content: C) -> C { content }
    public static func buildBlock<each C: Scene>(_ content: repeat each C) -> _Scenes {
        var views: [AnyView] = []
        for scene in repeat each content { views += scene.drawnViews }
        return _Scenes(views: views)
    }
}
/// Several scenes, as `SceneBuilder` combines them.
nonisolated public struct _Scenes: Scene, PrimitiveScene {
    public typealias Body = Never
    let views: [AnyView]
}

/// A window. Only the first window of an app is rendered.
nonisolated public struct WindowGroup<Content: View>: Scene, PrimitiveScene {
    public typealias Body = Never
    let content: Content
    /// Renders the content as the page.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    /// Title and id are ignored.
    public init(id: String, @ViewBuilder content: () -> Content) { self.content = content() }
    /// Title and id are ignored.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    /// Title and id are ignored.
    public init(_ titleKey: LocalizedStringKey, id: String, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    @MainActor var views: [AnyView] { [AnyView(content)] }
}
/// A window. Only the first window of an app is rendered.
nonisolated public struct Window<Content: View>: Scene, PrimitiveScene {
    public typealias Body = Never
    let content: Content
    /// Title and id are ignored.
    public init(_ titleKey: LocalizedStringKey, id: String, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    @MainActor var views: [AnyView] { [AnyView(content)] }
}
/// The settings of an app. Not rendered.
nonisolated public struct Settings<Content: View>: Scene, PrimitiveScene {
    public typealias Body = Never
    /// The content is never built.
    public init(@ViewBuilder content: () -> Content) {}
    @MainActor var views: [AnyView] { [] }
}
nonisolated extension Scene {
    /// Ignored: a page has no menu bar.
    public func commands<Content: Commands>(@CommandsBuilder content: () -> Content) -> some Scene { self }
    /// Ignored: scenes are rendered once.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (V) -> Void) -> some Scene {
        self
    }
    /// Ignored: scenes are rendered once.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
    ) -> some Scene { self }
    /// Ignored: scenes are rendered once.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some Scene { self }
    /// Sets an environment value for the views of the scene.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some Scene {
        SceneWithValue(scene: self, change: { AnyView($0.environment(keyPath, value)) })
    }
    /// Provides an object for the views of the scene.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some Scene {
        SceneWithValue(scene: self, change: { AnyView($0.environmentObject(object)) })
    }
    /// Provides an observable object for the views of the scene.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some Scene {
        SceneWithValue(scene: self, change: { AnyView($0.environment(object)) })
    }
}
nonisolated struct SceneWithValue<Content: Scene>: Scene, PrimitiveScene {
    typealias Body = Never
    let scene: Content
    let change: (AnyView) -> AnyView
    @MainActor var views: [AnyView] { scene.drawnViews.map(change) }
}

/// Entries of a menu bar. Ignored: a page has none.
@MainActor @preconcurrency public protocol Commands {}
nonisolated public struct EmptyCommands: Commands, Sendable { public init() {} }
nonisolated public struct CommandMenu<Content: View>: Commands {
    /// Has no effect here.
    public init(_ nameKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
}
/// Has no effect here.
nonisolated public struct CommandGroup<Content: View>: Commands {
    /// Has no effect here.
    public init(replacing group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {}
    /// Has no effect here.
    public init(after group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {}
    /// Has no effect here.
    public init(before group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {}
}
nonisolated public struct CommandGroupPlacement: Sendable {
    private let name: String
    /// Has no effect here.
    public static let newItem = CommandGroupPlacement(name: "newItem")
    /// Has no effect here.
    public static let appInfo = CommandGroupPlacement(name: "appInfo")
    /// Has no effect here.
    public static let help = CommandGroupPlacement(name: "help")
}
/// Builds menu entries, which are ignored.
@MainActor @resultBuilder public struct CommandsBuilder {
    public static func buildBlock<each C: Commands>(_ content: repeat each C) -> EmptyCommands {
        EmptyCommands()
    }
}
