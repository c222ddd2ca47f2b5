import Synchronization

/// Storage of a `@State` or similar property, shared by all copies of a view.
package final class StateCell<Value> {
    private var own: Value
    /// The storage of the same view in an earlier rendering of the page.
    private var earlier: StateCell?

    /// - Parameter value: used unless an earlier rendering has a value.
    package init(_ value: Value) { own = value }

    /// Setting it causes another rendering of the page.
    package var value: Value {
        get { earlier?.value ?? own }
        set {
            if let earlier { earlier.value = newValue } else { own = newValue }
            RenderSignal.stateChanged()
        }
    }

    /// Connects to the storage of an earlier rendering.
    @MainActor package func install(in context: RenderContext, at path: String) {
        let kept = context.pass.cell(at: path, or: self)
        if kept !== self { earlier = kept }
    }
}

/// Counts state changes, so that a page notices changes made by its own actions. Changes may come from any
/// thread; one of another page only causes an unnecessary rendering.
enum RenderSignal {
    private static let changes = Atomic<Int>(0)
    static func stateChanged() { changes.add(1, ordering: .sequentiallyConsistent) }
    static var count: Int { changes.load(ordering: .sequentiallyConsistent) }
}

/// A value owned by a view. A page starts with the initial value; changes made by actions are visible in the
/// next rendering.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    let cell: StateCell<Value>
    /// - Parameter wrappedValue: the initial value.
    public init(wrappedValue: Value) { cell = StateCell(wrappedValue) }
    /// - Parameter initialValue: the initial value.
    public init(initialValue: Value) { cell = StateCell(initialValue) }
    /// The present value.
    public var wrappedValue: Value {
        get { cell.value }
        nonmutating set { cell.value = newValue }
    }
    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        let cell = cell
        return Binding(get: { cell.value }, set: { cell.value = $0 })
    }
}

nonisolated extension State where Value: ExpressibleByNilLiteral {
    /// Starts as nil.
    public init() { self.init(wrappedValue: nil) }
}

extension State: InstallableProperty {
    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.install(in: context, at: path)
    }
}
