import Synchronization

/// Holds the value of a `@State` and its kin; all copies of a view share it.
package final class StateCell<Value> {
    private var own: Value
    /// The cell of the same view in an earlier drawing of the page.
    private var earlier: StateCell?

    package init(_ value: Value) { own = value }

    package var value: Value {
        get { earlier?.value ?? own }
        set {
            if let earlier { earlier.value = newValue } else { own = newValue }
            RenderSignal.stateChanged()
        }
    }

    @MainActor package func install(in context: RenderContext, at path: String) {
        let kept = context.pass.cell(at: path, or: self)
        if kept !== self { earlier = kept }
    }
}

/// Counts the changes of states, so that a page notices those that its own actions made. Changes come
/// from any
/// thread; one of another page costs no more than a drawing.
enum RenderSignal {
    private static let changes = Atomic<Int>(0)
    static func stateChanged() { changes.add(1, ordering: .sequentiallyConsistent) }
    static var count: Int { changes.load(ordering: .sequentiallyConsistent) }
}

/// A value that a view owns. Each drawing begins with its initial value; what actions write is seen by
/// the next.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    let cell: StateCell<Value>
    /// A state that begins as `wrappedValue`.
    public init(wrappedValue: Value) { cell = StateCell(wrappedValue) }
    /// A state that begins as `initialValue`.
    public init(initialValue: Value) { cell = StateCell(initialValue) }
    /// The value now.
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
    /// A state that begins as nil.
    public init() { self.init(wrappedValue: nil) }
}

extension State: InstallableProperty {
    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.install(in: context, at: path)
    }
}
