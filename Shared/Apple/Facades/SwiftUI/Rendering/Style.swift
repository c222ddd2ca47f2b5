import Foundation

/// CSS declarations in order. Values are written by this module, never by the user.
package struct Style: ExpressibleByDictionaryLiteral, Hashable {
    /// One declaration.
    package struct Declaration: Hashable {
        /// The property's name.
        package var property: String
        /// The value as CSS text.
        package var value: String
    }
    /// In order of insertion.
    package private(set) var declarations: [Declaration] = []

    /// Without declarations.
    package init() {}
    package init(dictionaryLiteral elements: (String, String)...) {
        for (property, value) in elements { self[property] = value }
    }

    /// Whether there are no declarations.
    package var isEmpty: Bool { declarations.isEmpty }

    /// The value of a property. Setting nil removes it.
    package subscript(property: String) -> String? {
        get { declarations.first { $0.property == property }?.value }
        set {
            if let index = declarations.firstIndex(where: { $0.property == property }) {
                if let newValue {
                    declarations[index].value = newValue
                } else {
                    declarations.remove(at: index)
                }
            } else if let newValue {
                declarations.append(Declaration(property: property, value: newValue))
            }
        }
    }

    /// Both styles; values of the other take precedence.
    package func merging(_ other: Style) -> Style {
        var both = self
        for declaration in other.declarations { both[declaration.property] = declaration.value }
        return both
    }

    /// As CSS: `a:b;c:d`.
    package var css: String { declarations.map { "\($0.property):\($0.value)" }.joined(separator: ";") }
}

/// Numbers and lengths as CSS and SVG text.
package enum CSS {
    /// At most three decimals, without an exponent. Not a number becomes 0; values are limited to ±100000.
    package static func number(_ value: Double) -> String {
        guard !value.isNaN else { return "0" }
        let bounded = min(max(value, -100_000), 100_000)
        let thousandths = (bounded * 1_000).rounded()
        if thousandths.truncatingRemainder(dividingBy: 1_000) == 0 { return String(Int(thousandths / 1_000)) }
        return String(thousandths / 1_000)
    }
    /// As for `Double`.
    package static func number(_ value: CGFloat) -> String { number(Double(value)) }

    /// A length in CSS pixels. One point is one pixel.
    package static func points(_ value: Double) -> String { value == 0 ? "0" : number(value) + "px" }
    /// As for `Double`.
    package static func points(_ value: CGFloat) -> String { points(Double(value)) }

    /// A font size that follows the browser's setting.
    package static func rem(_ points: Double) -> String { number(points / 16) + "rem" }

    /// - Parameter fraction: 1 is 100 %.
    package static func percent(_ fraction: Double) -> String { number(fraction * 100) + "%" }
}
