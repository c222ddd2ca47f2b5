/// Whether a value is shown in the log.
public struct OSLogPrivacy: Sendable {
    enum Kind: Sendable { case auto, open, hidden }
    /// What replaces a hidden value.
    public enum Mask: Equatable, Sendable {
        /// A hash that is the same for the same value during one run of the program.
        case hash
        case none
    }

    let kind: Kind
    let mask: Mask

    /// Numbers are shown, texts are hidden.
    public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: .none) }
    /// The value is shown.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .open, mask: .none) }
    /// The value is hidden.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: .none) }
    /// Same as `private`.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: .none) }
    /// As ``auto``, with a mask for hidden values.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
    /// The value is hidden. - Parameter mask: what is shown instead.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: mask) }
    /// Same as `private(mask:)`.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: mask) }
}

/// The alignment of a value in a column.
public struct OSLogStringAlignment: Sendable {
    let columns: Int
    let isLeft: Bool

    /// No padding.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isLeft: true) }
    /// Padded with spaces after the value.
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isLeft: true)
    }
    /// Padded with spaces before the value.
    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isLeft: false)
    }

    func apply(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, columns - text.count))
        return isLeft ? text + padding : padding + text
    }
}

/// A log message. Private values are removed while it is built, so they are in no file.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    let text: String

    /// A message without values.
    public init(stringLiteral value: String) { text = value }
    /// Created by the compiler from an interpolated literal.
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Builds a message; hidden values are replaced as they are appended.
public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""

    /// Reserves memory; called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Adds literal text, which is always shown.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// A number, shown unless hidden explicitly.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: Double(number())), align, privacy, isHiddenByItself: false)
    }

    /// A number, shown unless hidden explicitly.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy, isHiddenByItself: false)
    }

    /// A truth value, shown unless hidden explicitly.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        let value = boolean()
        let text = format == .answer ? (value ? "YES" : "NO") : (value ? "true" : "false")
        append(text, .none, privacy, isHiddenByItself: false)
    }

    /// A text, hidden unless shown explicitly.
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(argumentString(), align, privacy, isHiddenByItself: true)
    }

    /// A description, hidden unless shown explicitly.
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(value().description, align, privacy, isHiddenByItself: true)
    }

    /// The name of a type, shown unless hidden explicitly.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> any Any.Type, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(String(reflecting: value()), align, privacy, isHiddenByItself: false)
    }

    /// An error's description, hidden unless shown explicitly.
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

    /// Differs in each run of the program, so that values cannot be found by trial.
    private static func mark(of value: String) -> String {
        String(UInt(bitPattern: value.hashValue), radix: 36)
    }
}

// As Apple's, one overload for each integer type, which the compiler prefers to the one for descriptions.
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
