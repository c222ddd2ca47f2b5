// What charts need of this module's insides.

nonisolated extension ForEach {
    /// Content that is no view.
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
    /// A place that is known while drawing.
    package init(placed value: Value) { self.init(value: value) }
}
