public import Foundation

/// "a, b and c", in the language of `locale`.
open class ListFormatter: Formatter, @unchecked Sendable {
    // As Foundation's formatters: one thread sets it up before others use it.
    // Implicitly unwrapped as Apple's; nil means the current one.
    open var locale: Locale! = .current
    /// For the items; nil: their own descriptions.
    open var itemFormatter: Formatter?

    public override init() { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open class func localizedString(byJoining strings: [String]) -> String {
        strings.formatted(.list(type: .and))
    }

    open func string(from items: [Any]) -> String? {
        let words = items.map { itemFormatter?.string(for: $0) ?? "\($0)" }
        return words.formatted(.list(type: .and).locale(locale ?? .current))
    }

    open override func string(for obj: Any?) -> String? { (obj as? [Any]).flatMap { string(from: $0) } }
}
