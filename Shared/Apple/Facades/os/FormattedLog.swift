/// Writes a message with placeholders as in printf: `%@ %s %d %i %u %ld %lld %x %f %.2f %%`, each optionally
/// with `{public}` or `{private}`. Otherwise numbers are shown and texts are hidden. Missing arguments appear
/// as `<missing>`.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    type: OSLogType = .default, _ args: any CVarArg...
) {
    log.write(type, FormattedMessage(message.description).text(args))
}

/// The same with the type first.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ args: any CVarArg...
) {
    log.write(type, FormattedMessage(message.description).text(args))
}

/// Writes an interpolated message to the default log.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

/// Writes an interpolated message of a type to a log.
@_disfavoredOverload
public func os_log(_ logLevel: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(logLevel, message.text)
}

/// A message with placeholders.
struct FormattedMessage {
    private var rest: Substring
    private let format: String

    init(_ format: String) {
        self.format = format
        rest = format[...]
    }

    func text(_ arguments: [Any]) -> String {
        var scanner = self
        var arguments = arguments[...]
        var result = OSLogInterpolation(literalCapacity: format.utf8.count, interpolationCount: 0)
        while let character = scanner.rest.popFirst() {
            guard character == "%" else {
                result.text.append(character)
                continue
            }
            scanner.placeholder(&arguments, into: &result)
        }
        return result.text
    }

    private mutating func placeholder(
        _ arguments: inout ArraySlice<Any>, into result: inout OSLogInterpolation
    ) {
        if rest.first == "%" {
            rest.removeFirst()
            result.text.append("%")
            return
        }
        var privacy = OSLogPrivacy.auto
        if rest.first == "{" {
            let options = rest.prefix { $0 != "}" }
            rest = rest.dropFirst(options.count + 1)
            if options.contains("public") { privacy = .public }
            if options.contains("private") || options.contains("sensitive") { privacy = .private }
        }
        let modifiers = rest.prefix { "0123456789.-+ #".contains($0) }
        rest = rest.dropFirst(modifiers.count)
        rest = rest.drop { "hlqzjt".contains($0) }
        guard let conversion = rest.popFirst(), let argument = arguments.popFirst() else {
            result.text.append("<missing>")
            return
        }
        let (text, isWord) = Self.text(of: argument, conversion, String(modifiers))
        result.append(text, .none, privacy, isHiddenByItself: isWord)
    }

    private static func text(
        of argument: Any, _ conversion: Character, _ modifiers: String
    ) -> (text: String, isWord: Bool) {
        switch argument {
        case let number as Double: return (fraction(number, conversion, modifiers), false)
        case let number as Float: return (fraction(Double(number), conversion, modifiers), false)
        case let number as any FixedWidthInteger: return (whole(number, conversion, modifiers), false)
        case let flag as Bool: return (flag ? "1" : "0", false)
        default: return ("\(argument)", true)
        }
    }

    private static func fraction(_ number: Double, _ conversion: Character, _ modifiers: String) -> String {
        let precision = modifiers.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first
        return OSLogFloatFormatting(
            conversion: "eEgG".contains(conversion) ? String(conversion) : "f",
            precision: precision.flatMap { Int($0) } ?? 6, hasPlus: modifiers.contains("+")
        ).text(of: number)
    }

    private static func whole<T: FixedWidthInteger>(
        _ number: T, _ conversion: Character, _ modifiers: String
    ) -> String {
        let digits = OSLogIntegerFormatting(
            radix: "xX".contains(conversion) ? 16 : conversion == "o" ? 8 : 10,
            hasPlus: modifiers.contains("+"), isUppercase: conversion == "X"
        ).text(of: number)
        let width = Int(modifiers.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
        let padding = String(
            repeating: modifiers.hasPrefix("0") ? "0" : " ", count: max(0, width - digits.count))
        return modifiers.contains("-") ? digits + padding : padding + digits
    }
}
