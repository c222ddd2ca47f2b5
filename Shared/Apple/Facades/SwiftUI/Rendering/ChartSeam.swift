// What the Charts module needs of this module's internals.

nonisolated extension ForEach {
    /// For content that is not a view.
    package init(
        charted data: Data, content: @escaping (Data.Element) -> Content,
        identify: @escaping (Data.Element) -> ID
    ) { self.init(data: data, content: content, identify: identify) }
}

nonisolated extension Alignment {
    /// The value of the CSS property `place-items`.
    package var placeItems: String { css }
}

nonisolated extension Font {
    /// The font as CSS declarations.
    package var declarations: Style { style(scale: 1) }
}

nonisolated extension Anchor {
    /// An anchor whose value is known during rendering.
    package init(placed value: Value) { self.init(value: value) }
}
