import Foundation

/// CSS declarations in their order. The values are written by this module, never by the user.
package struct Style: ExpressibleByDictionaryLiteral, Hashable {
    package struct Declaration: Hashable {
        package var property: String
        package var value: String
    }
    package private(set) var declarations: [Declaration] = []

    package init() {}
    package init(dictionaryLiteral elements: (String, String)...) {
        for (property, value) in elements { self[property] = value }
    }

    package var isEmpty: Bool { declarations.isEmpty }

    /// The value of a property; setting nil takes it away.
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

    /// Both, the other's values before this one's.
    package func merging(_ other: Style) -> Style {
        var both = self
        for declaration in other.declarations { both[declaration.property] = declaration.value }
        return both
    }

    /// As CSS writes it: `a:b;c:d`.
    package var css: String { declarations.map { "\($0.property):\($0.value)" }.joined(separator: ";") }
}

/// Numbers and lengths as CSS and SVG write them.
package enum CSS {
    /// At most three decimals, never an exponent; what is not a number or endless becomes 0 or ±100000.
    package static func number(_ value: Double) -> String {
        guard !value.isNaN else { return "0" }
        let bounded = min(max(value, -100_000), 100_000)
        let thousandths = (bounded * 1_000).rounded()
        if thousandths.truncatingRemainder(dividingBy: 1_000) == 0 { return String(Int(thousandths / 1_000)) }
        return String(thousandths / 1_000)
    }
    package static func number(_ value: CGFloat) -> String { number(Double(value)) }

    /// A length in CSS pixels; an iOS point is one.
    package static func points(_ value: Double) -> String { value == 0 ? "0" : number(value) + "px" }
    package static func points(_ value: CGFloat) -> String { points(Double(value)) }

    /// A size of a font, which grows with what the reader has set in the browser.
    package static func rem(_ points: Double) -> String { number(points / 16) + "rem" }

    package static func percent(_ fraction: Double) -> String { number(fraction * 100) + "%" }
}
