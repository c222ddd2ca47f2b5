/// Rows in one or more sections.
nonisolated public struct List<SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let content: Content
    init(view: Content) { content = view }

    /// The selection is ignored: rows cannot be selected.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        self.init(view: content())
    }
    /// The selection is ignored: rows cannot be selected.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        self.init(view: content())
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [context.list(of: content, context.environment.styles.list)]
    }
}
nonisolated extension List where SelectionValue == Never {
    /// Rows and sections from a builder.
    public init(@ViewBuilder content: () -> Content) { self.init(view: content()) }
    /// A row for each identifiable element.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(view: ForEach(data, content: rowContent))
    }
    /// A row for each element, identified by `id`.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, ID, Row> { self.init(view: ForEach(data, id: id, content: rowContent)) }
    /// A row for each number.
    public init<Row: View>(_ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> Row)
    where Content == ForEach<Range<Int>, Int, Row> { self.init(view: ForEach(data, content: rowContent)) }
    /// A row for each element, with a binding to it.
    public init<C: MutableCollection & RandomAccessCollection, Row: View>(
        _ data: Binding<C>, @ViewBuilder rowContent: @escaping (Binding<C.Element>) -> Row
    ) where Content == ForEach<Binding<C>, C.Element.ID, Row>, C.Element: Identifiable {
        self.init(view: ForEach(data, content: rowContent))
    }
}
nonisolated extension List {
    /// The selection is ignored: rows cannot be selected.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(view: ForEach(data, content: rowContent))
    }
    /// The selection is ignored: rows cannot be selected.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(view: ForEach(data, content: rowContent))
    }
    /// The selection is ignored: rows cannot be selected.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, ID, Row> { self.init(view: ForEach(data, id: id, content: rowContent)) }
    /// The selection is ignored: rows cannot be selected.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, ID, Row> { self.init(view: ForEach(data, id: id, content: rowContent)) }
}

/// Controls in groups, as in settings. Rendered as an inset grouped list.
nonisolated public struct Form<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let content: Content
    /// Rows and sections from a builder.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [context.list(of: content, .insetGrouped)]
    }
}

/// Related rows with a header and a footer.
nonisolated public struct Section<Parent, Content, Footer> {
    let header: Parent
    let content: Content
    let footer: Footer
}
extension Section: View where Parent: View, Content: View, Footer: View { public typealias Body = Never }
extension Section: PrimitiveView where Parent: View, Content: View, Footer: View {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var section = RenderNode("section")
        section.traits.isSection = true
        section.reading = .lines
        var inner = context
        inner.isRow = false
        section.traits.header = inner.nodes(of: header, at: "header")
        section.children = context.nodes(of: content, at: "rows")
        section.traits.footer = inner.nodes(of: footer, at: "footer")
        return [section]
    }
}
nonisolated extension Section where Parent: View, Content: View, Footer: View {
    /// Header and footer are outside of the rows' background.
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) { self.init(header: header(), content: content(), footer: footer()) }
    /// The same with views instead of builders.
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: footer)
    }
}
nonisolated extension Section where Parent == EmptyView, Content: View, Footer: View {
    /// A section without a header.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), content: content(), footer: footer())
    }
    /// A section without a header.
    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: footer)
    }
}
nonisolated extension Section where Parent: View, Content: View, Footer == EmptyView {
    /// A section without a footer.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView())
    }
    /// A section without a footer.
    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: EmptyView())
    }
}
nonisolated extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    /// Rows without header and footer.
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: EmptyView())
    }
}
nonisolated extension Section where Parent == Text, Content: View, Footer == EmptyView {
    /// A section with a localized header.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }
    /// A section with a header that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), content: content(), footer: EmptyView())
    }
    /// `isExpanded` is ignored: the section is always expanded.
    public init(
        _ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>, @ViewBuilder content: () -> Content
    ) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }
}
