/// A property of a view that is installed before `body` is evaluated.
public protocol DynamicProperty {
    /// Called before `body`, after nested properties are installed.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}

/// A property of this module that is installed from the context of its view.
package protocol InstallableProperty {
    @MainActor func install(in context: RenderContext, at path: String)
}

extension RenderContext {
    /// Installs the dynamic properties of `value`. Returns false if the page has failed.
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
