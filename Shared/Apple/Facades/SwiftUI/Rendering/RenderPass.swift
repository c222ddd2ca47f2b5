package import Combine
import Foundation

/// One page while it is drawn: the state of its views, what they asked to run, and the names in use.
@MainActor package final class RenderPass {
    /// Cells of `@State` and its kin, by the place of their view in the tree.
    private var cells: [String: AnyObject] = [:]
    /// What `onAppear` and `onPreferenceChange` asked to run after the drawing.
    package private(set) var actions: [() -> Void] = []
    /// What `task` asked to run.
    package private(set) var tasks: [@MainActor () async -> Void] = []
    /// Places whose `onAppear` or `task` ran already.
    private var appeared: Set<String> = []
    /// Values that `onChange` compares with.
    package var watched: [String: Any] = [:]
    /// What went wrong; the page is refused with the first.
    package private(set) var failure: RenderError?
    private var subscriptions: [AnyCancellable] = []
    private var views = 0
    private var names = 0
    private var said: Set<String> = []
    private let prefix: String

    private let viewsMax: Int

    /// A page whose element ids begin with `prefix`.
    package init(prefix: String = "s", viewsMax: Int = RenderLimits.viewsMax) {
        self.prefix = prefix
        self.viewsMax = viewsMax
    }

    /// Makes ready for another drawing of the same page.
    package func begin() {
        (actions, tasks, views, names) = ([], [], 0, 0)
    }

    /// A name for an element that others refer to, unique on the page.
    package func name(_ kind: String) -> String {
        names += 1
        return "\(prefix)-\(kind)\(names)"
    }

    /// Runs `action` after this drawing, unless it ran already for this place.
    package func appear(at path: String, _ action: @escaping () -> Void) {
        if appeared.insert(path).inserted { actions.append(action) }
    }
    /// Runs `action` after this drawing, each time.
    package func afterwards(_ action: @escaping () -> Void) { actions.append(action) }
    /// Runs `task` after this drawing, unless it ran already for this place.
    package func task(at path: String, _ task: @escaping @MainActor () async -> Void) {
        if appeared.insert(path + "#task").inserted { tasks.append(task) }
    }

    /// The cell that the view at `path` used in an earlier drawing, or `new`, kept from now on.
    package func cell<Cell: AnyObject>(at path: String, or new: Cell) -> Cell {
        if let known = cells[path] as? Cell { return known }
        cells[path] = new
        return new
    }

    /// Keeps a subscription until the page is finished.
    package func keep(_ subscription: AnyCancellable) { subscriptions.append(subscription) }

    package func fail(_ error: RenderError) { if failure == nil { failure = error } }

    /// Counts a view; false when there are too many.
    package func count() -> Bool {
        views += 1
        if views > viewsMax { fail(.tooMany) }
        return failure == nil
    }

    /// Says `message` in the log, once for a page.
    package func warn(_ message: String) {
        if said.insert(message).inserted { RenderLog.warn(message) }
    }
}

/// Where this module says what it could not draw as asked: the log of the program.
package enum RenderLog {
    package static func warn(_ message: String) {
        FileHandle.standardError.write(Data("SwiftUI: \(message)\n".utf8))
    }
}

/// Gathers the values of `PreferenceKey`s from the views below one place.
@MainActor package final class PreferenceCollector {
    private var values: [ObjectIdentifier: Any] = [:]
    package init() {}

    package func value<Key: PreferenceKey>(of key: Key.Type) -> Key.Value {
        values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue
    }
    package func add<Key: PreferenceKey>(_ value: Key.Value, for key: Key.Type) {
        if var known = values[ObjectIdentifier(key)] as? Key.Value {
            Key.reduce(value: &known) { value }
            values[ObjectIdentifier(key)] = known
        } else {
            values[ObjectIdentifier(key)] = value
        }
    }
    package func set<Key: PreferenceKey>(_ value: Key.Value, for key: Key.Type) {
        values[ObjectIdentifier(key)] = value
    }
    /// Takes away and returns what was gathered for `key`.
    package func take<Key: PreferenceKey>(_ key: Key.Type) -> Key.Value? {
        values.removeValue(forKey: ObjectIdentifier(key)) as? Key.Value
    }
}
