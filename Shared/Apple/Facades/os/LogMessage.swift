/// Who may read a value in a message.
public struct OSLogPrivacy: Sendable {
    enum Kind: Sendable { case auto, open, hidden }
    /// What a hidden value is replaced by.
    public enum Mask: Equatable, Sendable {
        /// A number that is the same for the same value, in one run of the program.
        case hash
        case none
    }

    let kind: Kind
    let mask: Mask

    /// Numbers are shown, words are not.
    public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: .none) }
    public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .open, mask: .none) }
    public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: .none) }
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: .none) }
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: mask) }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: mask) }
}

/// On which side of a column a value stands.
public struct OSLogStringAlignment: Sendable {
    let columns: Int
    let isLeft: Bool

    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isLeft: true) }
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isLeft: true)
    }
    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isLeft: false)
    }

    func apply(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, columns - text.count))
        return isLeft ? text + padding : padding + text
    }
}

/// A message whose private values were left out as it was made: what is hidden is in no file.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: Double(number())), align, privacy, isHiddenByItself: false)
    }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }

    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        let value = boolean()
        let text = format == .answer ? (value ? "YES" : "NO") : (value ? "true" : "false")
        append(text, .none, privacy, isHiddenByItself: false)
    }

    public mutating func appendInterpolation(
        _ argumentString: @autoclosure () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(argumentString(), align, privacy, isHiddenByItself: true)
    }

    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(value().description, align, privacy, isHiddenByItself: true)
    }

    /// A type's name; it is shown unless it is hidden on purpose.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> any Any.Type, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(String(reflecting: value()), align, privacy, isHiddenByItself: false)
    }

    public mutating func appendInterpolation(
        _ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
    ) {
        append("\(error())", .none, privacy, isHiddenByItself: true)
    }

    mutating func append(
        _ value: String, _ alignment: OSLogStringAlignment, _ privacy: OSLogPrivacy, isHiddenByItself: Bool
    ) {
        let isHidden = privacy.kind == .hidden || privacy.kind == .auto && isHiddenByItself
        guard isHidden else {
            text += alignment.apply(value)
            return
        }
        text += privacy.mask == .hash ? "<mask.hash: '\(Self.mark(of: value))'>" : "<private>"
    }

    /// Different in each run of the program, so that nobody can try out what a value might have been.
    private static func mark(of value: String) -> String {
        String(UInt(bitPattern: value.hashValue), radix: 36)
    }
}

// Each whole number has its own, as Apple's: it fits better than anything that can describe itself.
extension OSLogInterpolation {
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Int, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Int8, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Int16, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Int32, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Int64, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> UInt, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> UInt8, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> UInt16, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> UInt32, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> UInt64, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }
}
