public import Foundation

extension String {
    /// A key of a table and the values for its placeholders: `"\(count) apps"` is the key `%lld apps`.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        let key: String
        let arguments: [LocalizedArgument]

        public init(_ value: String) {
            key = value
            arguments = []
        }
        public init(stringLiteral value: String) { self.init(value) }
        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        public struct StringInterpolation: StringInterpolationProtocol, Sendable {
            var key = ""
            var arguments: [LocalizedArgument] = []

            public init(literalCapacity: Int, interpolationCount: Int) {
                key.reserveCapacity(literalCapacity)
            }

            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacingOccurrences(of: "%", with: "%%")
            }

            /// A text: `%@`.
            public mutating func appendInterpolation(_ string: String) { append("%@", .text(string)) }
            public mutating func appendInterpolation<S: StringProtocol>(_ string: S) {
                append("%@", .text(String(string)))
            }
            /// A whole number: `%lld`; one that is too large for it is shown as the largest.
            public mutating func appendInterpolation<T: BinaryInteger>(_ value: T) {
                append("%lld", .whole(Int64(clamping: value)))
            }
            /// `%lf`.
            public mutating func appendInterpolation(_ value: Double) { append("%lf", .fraction(value)) }
            /// `%f`.
            public mutating func appendInterpolation(_ value: Float) {
                append("%f", .fraction(Double(value)))
            }
            /// With a format of C, for example `"%.1f"`.
            public mutating func appendInterpolation(_ value: Double, specifier: String) {
                append(specifier, .fraction(value))
            }
            public mutating func appendInterpolation<T: BinaryInteger>(_ value: T, specifier: String) {
                append(specifier, .whole(Int64(clamping: value)))
            }
            public mutating func appendInterpolation<F: FormatStyle>(_ value: F.FormatInput, format: F)
            where F.FormatOutput == String {
                append("%@", .text(format.format(value)))
            }
            public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
                append("%@", .text(String(localized: resource)))
            }

            private mutating func append(_ placeholder: String, _ argument: LocalizedArgument) {
                key += placeholder
                arguments.append(argument)
            }
        }
    }

    /// The words of a bundle's table for `keyAndValue` in the person's language, with its values put in; the
    /// key itself where no table has it.
    /// - Parameters:
    ///   - table: nil: `Localizable`.
    ///   - bundle: nil: the program's own.
    ///   - locale: for the numbers.
    ///   - comment: for translators.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = Localized.text(keyAndValue.key, keyAndValue, table, bundle, locale)
    }

    /// The same with a key of its own; `defaultValue` where no table has it.
    public init(
        localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
        bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = Localized.text(key.description, defaultValue, table, bundle, locale)
    }

    @_disfavoredOverload
    public init(localized resource: LocalizedStringResource) { self = resource.text }
}

/// Words of a table that are looked up when they are shown.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Equatable, Sendable,
    CustomLocalizedStringResourceConvertible
{
    public typealias StringInterpolation = String.LocalizationValue.StringInterpolation

    /// Where a table is.
    public enum BundleDescription: Equatable, Sendable {
        case main
        /// The bundle at this place.
        case atURL(URL)
    }

    public let key: String
    public let defaultValue: String.LocalizationValue
    public let table: String?
    public var locale: Locale
    public let bundle: BundleDescription

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

    public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }
    public init(stringInterpolation: StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }

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

/// Something that has words for the person.
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
            // A key without values may hold a percent sign that was never doubled.
            return format.fill(value.key)
        }
        return format.fill(text)
    }
}
