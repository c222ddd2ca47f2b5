/// A property of a view that the drawing fills in before it asks for the view's `body`.
public protocol DynamicProperty {
    /// Called before `body`, after the properties inside this one were filled in.
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

/// A property of this module that takes what it needs from the place where its view is drawn.
package protocol InstallableProperty {
    @MainActor func install(in context: RenderContext, at path: String)
}

extension RenderContext {
    /// Fills in the dynamic properties of `value`. False when the page failed.
    @MainActor package func install(propertiesOf value: Any) -> Bool {
        install(value, at: path, depth: 0)
        return pass.failure == nil
    }

    @MainActor private func install(_ value: Any, at path: String, depth: Int) {
        var mirror: Mirror? = Mirror(reflecting: value)
        while let level = mirror {
            for (index, child) in level.children.enumerated() {
                guard child.value is any DynamicProperty else { continue }
                let place = "\(path).\(child.label ?? "\(index)")"
                if let property = child.value as? any InstallableProperty {
                    property.install(in: self, at: place)
                } else if depth < 8 {
                    install(child.value, at: place, depth: depth + 1)
                }
            }
            mirror = level.superclassMirror
        }
    }
}
