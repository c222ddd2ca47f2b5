public import Foundation

/// Joins texts: "a, b and c", in the language of `locale`.
open class ListFormatter: Formatter, @unchecked Sendable {
    // As with Foundation's formatters, one thread configures it before others use it.
    // Implicitly unwrapped as Apple's is. Nil means the current locale.
    /// Selects the language.
    open var locale: Locale! = .current
    /// Formats the items. If nil, their descriptions are used.
    open var itemFormatter: Formatter?

    /// A formatter for the current locale.
    public override init() { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Joins texts in the current locale.
    open class func localizedString(byJoining strings: [String]) -> String {
        strings.formatted(.list(type: .and))
    }

    /// Nil never occurs here; the result is optional as Apple's is.
    open func string(from items: [Any]) -> String? {
        let words = items.map { itemFormatter?.string(for: $0) ?? "\($0)" }
        return words.formatted(.list(type: .and).locale(locale ?? .current))
    }

    /// Accepts an array; nil for anything else.
    open override func string(for obj: Any?) -> String? { (obj as? [Any]).flatMap { string(from: $0) } }
}
