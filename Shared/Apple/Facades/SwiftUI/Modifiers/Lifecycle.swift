public import Combine

nonisolated extension View {
    /// Calls `action` once, after the first rendering. Changes that it makes are rendered.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        drawn(with: action) { action, context in
            if let action, !context.isMeasuring { context.pass.appear(at: context.path, action) }
        }
    }
    /// Never called: the page remains.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
    /// Runs `action` after rendering and waits for it, at most five seconds. Changes that it makes are
    /// rendered.
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        drawn(with: ()) { _, context in
            if !context.isMeasuring { context.pass.task(at: context.path) { await action() } }
        }
    }
    /// The same, once for each value of `id`.
    public func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        drawn(with: value) { value, context in
            if !context.isMeasuring { context.pass.task(at: "\(context.path)#\(value)") { await action() } }
        }
    }
    /// Calls `action` with the new value after an action of the page changed `value`.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (V) -> Void) -> some View {
        changing(value, initial: false) { action($1) }
    }
    /// Calls `action` with the old and the new value after an action of the page changed `value`; with
    /// `initial` also at first.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
    ) -> some View { changing(value, initial: initial, action) }
    /// Calls `action` after an action of the page changed `value`; with `initial` also at first.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View { changing(value, initial: initial) { _, _ in action() } }

    private func changing<V: Equatable>(
        _ value: V, initial: Bool, _ action: @escaping (V, V) -> Void
    ) -> some View {
        drawn(with: (value, action)) { both, context in
            guard !context.isMeasuring else { return }
            let (value, action) = both
            let known = context.pass.watched[context.path] as? V
            context.pass.watched[context.path] = value
            if let known {
                if known != value { context.pass.afterwards { action(known, value) } }
            } else if initial {
                context.pass.afterwards { action(value, value) }
            }
        }
    }
    /// Calls `action` with each value of `publisher` until the page is complete.
    public func onReceive<P: Publisher>(
        _ publisher: P, perform action: @escaping (P.Output) -> Void
    ) -> some View where P.Failure == Never {
        drawn(with: (publisher, action)) { both, context in
            guard !context.isMeasuring else { return }
            let pass = context.pass
            pass.appear(at: context.path + "#receive") { pass.keep(both.0.sink(receiveValue: both.1)) }
        }
    }

    /// Passes `value` to the views around this one.
    public func preference<K: PreferenceKey>(key: K.Type = K.self, value: K.Value) -> some View {
        drawn(with: value) { value, context in context.preferences.add(value, for: K.self) }
    }
    /// Changes the value that the views inside pass up.
    public func transformPreference<K: PreferenceKey>(
        _ key: K.Type = K.self, _ callback: @escaping (inout K.Value) -> Void
    ) -> some View {
        Paired(content: self, other: callback) { view, callback, context in
            let nodes = context.nodes(of: view, at: "t")
            var value = context.preferences.value(of: K.self)
            callback(&value)
            context.preferences.set(value, for: K.self)
            return nodes
        }
    }
    /// Calls `action` with the value that the views inside pass up, after rendering.
    public func onPreferenceChange<K: PreferenceKey>(
        _ key: K.Type = K.self, perform action: @escaping (K.Value) -> Void
    ) -> some View where K.Value: Equatable {
        Paired(content: self, other: action) { view, action, context in
            let (nodes, value) = context.gathering(K.self, from: view)
            guard !context.isMeasuring else { return nodes }
            let path = context.path + "#preference"
            if context.pass.watched[path] as? K.Value != value {
                context.pass.watched[path] = value
                context.pass.afterwards { action(value) }
            }
            return nodes
        }
    }
    /// Places a view in front of this one, built from the value that the views inside pass up.
    public func overlayPreferenceValue<K: PreferenceKey, V: View>(
        _ key: K.Type = K.self, alignment: Alignment = .center,
        @ViewBuilder _ transform: @escaping (K.Value) -> V
    ) -> some View { preferenceLayer(key, alignment, isBehind: false, transform) }
    /// Places a view behind this one, built from the value that the views inside pass up.
    public func backgroundPreferenceValue<K: PreferenceKey, V: View>(
        _ key: K.Type = K.self, alignment: Alignment = .center,
        @ViewBuilder _ transform: @escaping (K.Value) -> V
    ) -> some View { preferenceLayer(key, alignment, isBehind: true, transform) }

    private func preferenceLayer<K: PreferenceKey, V: View>(
        _ key: K.Type, _ alignment: Alignment, isBehind: Bool, _ transform: @escaping (K.Value) -> V
    ) -> some View {
        Paired(content: self, other: transform) { view, transform, context in
            let (nodes, value) = context.gathering(K.self, from: view)
            let layer = context.node(of: transform(value), at: "layer")
            return nodes.map { $0.layered(with: layer, alignment.css, isBehind: isBehind) }
        }
    }
}

extension RenderContext {
    /// The nodes of `view` and the value that it passes up for `key`.
    @MainActor fileprivate func gathering<K: PreferenceKey, V: View>(
        _ key: K.Type, from view: V
    ) -> ([RenderNode], K.Value) {
        let before = preferences.take(key)
        let nodes = nodes(of: view, at: "gathered")
        let value = preferences.value(of: key)
        if let before {
            let inner = preferences.take(key)
            preferences.set(before, for: key)
            if let inner { preferences.add(inner, for: key) }
        }
        return (nodes, value)
    }
}
