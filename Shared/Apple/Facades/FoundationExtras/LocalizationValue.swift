public import Foundation

extension String {
    /// A key of a table with values for its placeholders: `"\(count) apps"` is the key `%lld apps`.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        let key: String
        let arguments: [LocalizedArgument]

        /// A key without placeholders.
        public init(_ value: String) {
            key = value
            arguments = []
        }
        public init(stringLiteral value: String) { self.init(value) }
        /// Created by the compiler from an interpolated literal.
        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        /// Builds the key and its values from a literal.
        public struct StringInterpolation: StringInterpolationProtocol, Sendable {
            var key = ""
            var arguments: [LocalizedArgument] = []

            /// Reserves memory; called by the compiler.
            public init(literalCapacity: Int, interpolationCount: Int) {
                key.reserveCapacity(literalCapacity)
            }

            /// Adds literal text; a percent sign becomes `%%` in the key.
            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacingOccurrences(of: "%", with: "%%")
            }

            /// The placeholder for text, `%@`.
            public mutating func appendInterpolation(_ string: String) { append("%@", .text(string)) }
            /// The placeholder for text, `%@`.
            public mutating func appendInterpolation<S: StringProtocol>(_ string: S) {
                append("%@", .text(String(string)))
            }
            /// The placeholder for a whole number, `%lld`. A number that does not fit is clamped.
            public mutating func appendInterpolation<T: BinaryInteger>(_ value: T) {
                append("%lld", .whole(Int64(clamping: value)))
            }
            /// The placeholder `%lf`.
            public mutating func appendInterpolation(_ value: Double) { append("%lf", .fraction(value)) }
            /// The placeholder `%f`.
            public mutating func appendInterpolation(_ value: Float) {
                append("%f", .fraction(Double(value)))
            }
            /// A placeholder in C's notation, for example `"%.1f"`.
            public mutating func appendInterpolation(_ value: Double, specifier: String) {
                append(specifier, .fraction(value))
            }
            /// A placeholder in C's notation, for example `"%03lld"`.
            public mutating func appendInterpolation<T: BinaryInteger>(_ value: T, specifier: String) {
                append(specifier, .whole(Int64(clamping: value)))
            }
            /// The formatted text, as the placeholder `%@`.
            public mutating func appendInterpolation<F: FormatStyle>(_ value: F.FormatInput, format: F)
            where F.FormatOutput == String {
                append("%@", .text(format.format(value)))
            }
            /// The localized text, as the placeholder `%@`.
            public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
                append("%@", .text(String(localized: resource)))
            }

            private mutating func append(_ placeholder: String, _ argument: LocalizedArgument) {
                key += placeholder
                arguments.append(argument)
            }
        }
    }

    /// Looks up `keyAndValue` in a bundle's table in the person's language and inserts the values. Returns
    /// the key itself if no table contains it.
    /// - Parameters:
    ///   - table: if nil, `Localizable`.
    ///   - bundle: if nil, the program's own.
    ///   - locale: formats the numbers.
    ///   - comment: a note for translators; ignored.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = Localized.text(keyAndValue.key, keyAndValue, table, bundle, locale)
    }

    /// The same with a separate key. Returns `defaultValue` if no table contains the key.
    public init(
        localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
        bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = Localized.text(key.description, defaultValue, table, bundle, locale)
    }

    /// Looks up a resource now, in its own locale.
    @_disfavoredOverload
    public init(localized resource: LocalizedStringResource) { self = resource.text }
}

/// A localized text that is looked up when it is shown.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Equatable, Sendable,
    CustomLocalizedStringResourceConvertible
{
    /// The same interpolation as in `String.LocalizationValue`.
    public typealias StringInterpolation = String.LocalizationValue.StringInterpolation

    /// Where the table is.
    public enum BundleDescription: Equatable, Sendable {
        case main
        /// The bundle at this location.
        case atURL(URL)
    }

    /// The key in the table.
    public let key: String
    /// Used, with its values, if no table contains the key.
    public let defaultValue: String.LocalizationValue
    /// If nil, `Localizable`.
    public let table: String?
    /// Formats the numbers. The language is the person's.
    public var locale: Locale
    /// The bundle with the table; the program's own by default.
    public let bundle: BundleDescription

    /// A resource whose key is also its default value.
    public init(
        _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current,
        bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        key = keyAndValue.key
        defaultValue = keyAndValue
        self.table = table
        self.locale = locale
        self.bundle = bundle
    }

    /// A resource with a separate key.
    public init(
        _ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
        locale: Locale = .current, bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        self.key = key.description
        self.defaultValue = defaultValue
        self.table = table
        self.locale = locale
        self.bundle = bundle
    }

    /// A resource without placeholders.
    public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }
    /// Created by the compiler from an interpolated literal.
    public init(stringInterpolation: StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }

    /// The resource itself.
    public var localizedStringResource: LocalizedStringResource { self }

    var text: String {
        let bundle: Bundle? =
            switch self.bundle {
            case .main: .main
            case .atURL(let url): Bundle(url: url)
            }
        return Localized.text(key, defaultValue, table, bundle, locale)
    }
}

/// A type that has a localized description for the person.
public protocol CustomLocalizedStringResourceConvertible {
    var localizedStringResource: LocalizedStringResource { get }
}

private enum Localized {
    static func text(
        _ key: String, _ value: String.LocalizationValue, _ table: String?, _ bundle: Bundle?,
        _ locale: Locale
    ) -> String {
        let format = LocalizedFormat(arguments: value.arguments, locale: locale)
        guard let text = LocalizedTables.text(key, table: table, in: bundle ?? .main) else {
            // A key without values may contain a percent sign that was never doubled.
            return format.fill(value.key)
        }
        return format.fill(text)
    }
}
