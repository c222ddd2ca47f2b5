package import Combine
import Foundation

/// The state of one page during rendering: the state of its views, requested actions, and names in use.
@MainActor package final class RenderPass {
    /// Storage of `@State` and similar properties, by the position of their view.
    private var cells: [String: AnyObject] = [:]
    /// Actions of `onAppear` and `onPreferenceChange` to run after rendering.
    package private(set) var actions: [() -> Void] = []
    /// Tasks to run after rendering.
    package private(set) var tasks: [@MainActor () async -> Void] = []
    /// Positions whose `onAppear` or `task` has run.
    private var appeared: Set<String> = []
    /// The values with which `onChange` compares.
    package var watched: [String: Any] = [:]
    /// The first error, with which the page is refused.
    package private(set) var failure: RenderError?
    private var subscriptions: [AnyCancellable] = []
    private var views = 0
    private var names = 0
    private var said: Set<String> = []
    private let prefix: String

    private let viewsMax: Int

    /// - Parameter prefix: the start of element ids on this page.
    package init(prefix: String = "s", viewsMax: Int = RenderLimits.viewsMax) {
        self.prefix = prefix
        self.viewsMax = viewsMax
    }

    /// Prepares another rendering of the same page.
    package func begin() {
        (actions, tasks, views, names) = ([], [], 0, 0)
    }

    /// An element id that is unique on the page.
    package func name(_ kind: String) -> String {
        names += 1
        return "\(prefix)-\(kind)\(names)"
    }

    /// Runs `action` after this rendering, once for each position.
    package func appear(at path: String, _ action: @escaping () -> Void) {
        if appeared.insert(path).inserted { actions.append(action) }
    }
    /// Runs `action` after each rendering in which it is passed.
    package func afterwards(_ action: @escaping () -> Void) { actions.append(action) }
    /// Runs `task` after this rendering, once for each position.
    package func task(at path: String, _ task: @escaping @MainActor () async -> Void) {
        if appeared.insert(path + "#task").inserted { tasks.append(task) }
    }

    /// The storage that the view at `path` used in an earlier rendering; otherwise `new`, which is kept.
    package func cell<Cell: AnyObject>(at path: String, or new: Cell) -> Cell {
        if let known = cells[path] as? Cell { return known }
        cells[path] = new
        return new
    }

    /// Keeps a subscription until the page is complete.
    package func keep(_ subscription: AnyCancellable) { subscriptions.append(subscription) }

    /// Records the first error.
    package func fail(_ error: RenderError) { if failure == nil { failure = error } }

    /// Counts a view. Returns false if there are too many.
    package func count() -> Bool {
        views += 1
        if views > viewsMax { fail(.tooMany) }
        return failure == nil
    }

    /// Logs `message` once per page.
    package func warn(_ message: String) {
        if said.insert(message).inserted { RenderLog.warn(message) }
    }
}

/// Logs what could not be rendered as requested, on standard error.
package enum RenderLog {
    /// Writes one line with the prefix "SwiftUI: ".
    package static func warn(_ message: String) {
        FileHandle.standardError.write(Data("SwiftUI: \(message)\n".utf8))
    }
}

/// Collects the values of `PreferenceKey`s of the views below a position.
@MainActor package final class PreferenceCollector {
    private var values: [ObjectIdentifier: Any] = [:]
    /// Without values.
    package init() {}

    /// The collected value, or the key's default.
    package func value<Key: PreferenceKey>(of key: Key.Type) -> Key.Value {
        values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue
    }
    /// Combines a value with the one collected so far.
    package func add<Key: PreferenceKey>(_ value: Key.Value, for key: Key.Type) {
        if var known = values[ObjectIdentifier(key)] as? Key.Value {
            Key.reduce(value: &known) { value }
            values[ObjectIdentifier(key)] = known
        } else {
            values[ObjectIdentifier(key)] = value
        }
    }
    /// Replaces the collected value.
    package func set<Key: PreferenceKey>(_ value: Key.Value, for key: Key.Type) {
        values[ObjectIdentifier(key)] = value
    }
    /// Removes and returns the collected value.
    package func take<Key: PreferenceKey>(_ key: Key.Type) -> Key.Value? {
        values.removeValue(forKey: ObjectIdentifier(key)) as? Key.Value
    }
}
