import Foundation

/// A value of a placeholder.
enum LocalizedArgument: Equatable, Sendable {
    case text(String)
    case whole(Int64)
    case fraction(Double)
}

/// Inserts values into a template with placeholders: `%@ %d %lld %f %.2f %2$@ %%` and `%#@name@`.
struct LocalizedFormat {
    let arguments: [LocalizedArgument]
    let locale: Locale

    func fill(_ text: LocalizedText) -> String {
        var template = text.template
        var place = 0
        while let range = template.range(of: #"%(\d+\$)?#@[^@]*@"#, options: .regularExpression) {
            let placeholder = template[range]
            let name = placeholder.drop { $0 != "@" }.dropFirst().dropLast()
            let index = Int(placeholder.dropFirst().prefix { $0.isNumber }).map { $0 - 1 } ?? place
            place += 1
            template.replaceSubrange(range, with: variant(text, String(name), index))
        }
        return fill(template)
    }

    /// The plural variant for the number at `index`, with its placeholder bound to that number.
    private func variant(_ text: LocalizedText, _ name: String, _ index: Int) -> String {
        guard let variants = text.plurals[name] else { return "" }
        var category = "other"
        if arguments.indices.contains(index), case .whole(let number) = arguments[index] {
            category = Languages.plural(of: number, in: text.language)
            if number == 0, variants["zero"] != nil { category = "zero" }
        }
        let variant = variants[category] ?? variants["other"] ?? ""
        return variant.replacingOccurrences(
            of: #"%(lld|ld|d|llu|lu|u|arg|@)"#, with: "%\(index + 1)\\$lld", options: .regularExpression)
    }

    func fill(_ template: String) -> String {
        var result = ""
        var rest = template[...]
        var next = 0
        while let character = rest.popFirst() {
            guard character == "%" else {
                result.append(character)
                continue
            }
            if rest.first == "%" {
                rest.removeFirst()
                result.append("%")
                continue
            }
            let start = rest
            var index = next
            let digits = rest.prefix { $0.isNumber }
            if rest.dropFirst(digits.count).first == "$", let place = Int(digits) {
                index = place - 1
                rest = rest.dropFirst(digits.count + 1)
            } else {
                next += 1
            }
            let modifiers = rest.prefix { "0123456789.-+ #".contains($0) }
            rest = rest.dropFirst(modifiers.count).drop { "hlqzjt".contains($0) }
            guard arguments.indices.contains(index), let conversion = rest.popFirst(),
                "@dDiuUxXofFeEgGsc".contains(conversion)
            else {
                // There is no value for it, so it is literal text.
                result.append("%")
                rest = start
                next = index
                continue
            }
            result += text(of: arguments[index], String(modifiers), conversion)
        }
        return result
    }

    private func text(
        of argument: LocalizedArgument, _ modifiers: String, _ conversion: Character
    ) -> String {
        switch argument {
        case .text(let text): return text
        case .whole(let number):
            guard modifiers.isEmpty, "dDiuU@".contains(conversion) else {
                return String(
                    format: "%\(modifiers)ll\("xXo".contains(conversion) ? conversion : "d")", number)
            }
            return number.formatted(.number.locale(locale))
        case .fraction(let number):
            let format = "fFeEgG".contains(conversion) ? String(conversion) : "f"
            return String(format: "%\(modifiers)\(format)", locale: locale, number)
        }
    }
}
