import ExtensionLink
import Foundation
import ProgramLog

/// An entry of a table: a text, or variants that depend on numbers.
struct LocalizedText {
    /// A text in which `%#@name@` is replaced by a variant of `plurals[name]`.
    var template: String
    /// By name, then by plural category.
    var plurals: [String: [String: String]] = [:]
    /// The language whose plural rules apply.
    var language = "en"
}

/// The tables of bundles: `NAME.strings` and `NAME.stringsdict` in `LANGUAGE.lproj`, and `NAME.xcstrings`.
enum LocalizedTables {
    private static let texts = Shared<[String: [String: LocalizedText]]>([:])

    /// - Returns: nil if no table in the person's languages or the development language contains the key.
    static func text(_ key: String, table: String?, in bundle: Bundle) -> LocalizedText? {
        let table = table.flatMap { $0.isEmpty ? nil : $0 } ?? "Localizable"
        let development = bundle.infoDictionary?["CFBundleDevelopmentRegion"] as? String ?? "en"
        for language in Languages.wanted + [development, "Base"] {
            for directory in directories(of: bundle) {
                if let text = texts(table, language, directory)[key] { return text }
            }
        }
        return nil
    }

    private static func directories(of bundle: Bundle) -> [String] {
        var paths = [bundle.resourcePath, bundle.bundlePath, bundle.bundlePath + "/Resources"].compactMap {
            $0
        }
        // An extension's executable is not always in its bundle; the host provides the bundle's directory.
        if bundle == Bundle.main, ProcessInfo.processInfo.environment[Wire.descriptorKey] != nil {
            paths += Surroundings.bundle.map { [$0, $0 + "/Resources"] } ?? []
        }
        return paths
    }

    /// Cached after the first read.
    private static func texts(
        _ table: String, _ language: String, _ directory: String
    ) -> [String: LocalizedText] {
        let name = "\(directory)\n\(language)\n\(table)"
        if let known = texts.use({ $0[name] }) { return known }
        var found = catalog("\(directory)/\(table).xcstrings", language)
        let folder = "\(directory)/\(language).lproj/\(table)"
        for (key, value) in list(folder + ".strings") {
            if let value = value as? String {
                found[key] = LocalizedText(template: value, language: language)
            }
        }
        for (key, value) in list(folder + ".stringsdict") {
            if let value = value as? [String: Any] { found[key] = counted(value, language) }
        }
        texts.use { $0[name] = found }
        return found
    }

    private static func list(_ path: String) -> [String: Any] {
        guard let data = FileManager.default.contents(atPath: path) else { return [:] }
        do {
            let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
            return list as? [String: Any] ?? [:]
        } catch {
            ProgramLog.refuse("the table '\(path)' cannot be read: \(error).", remedy: "Correct the file.")
            return [:]
        }
    }

    private static func counted(_ value: [String: Any], _ language: String) -> LocalizedText? {
        guard let format = value["NSStringLocalizedFormatKey"] as? String else { return nil }
        var text = LocalizedText(template: format, language: language)
        for (name, rule) in value {
            guard let rule = rule as? [String: String] else { continue }
            text.plurals[name] = rule.filter { !$0.key.hasPrefix("NSString") }
        }
        return text
    }

    // MARK: string catalogues

    private struct Catalogue: Decodable {
        struct Entry: Decodable { var localizations: [String: Localization]? }
        struct Localization: Decodable {
            var stringUnit: Unit?
            var variations: Variations?
        }
        struct Unit: Decodable { var value: String }
        struct Variations: Decodable { var plural: [String: Localization]? }
        var strings: [String: Entry]
    }

    private static func catalog(_ path: String, _ language: String) -> [String: LocalizedText] {
        guard let data = FileManager.default.contents(atPath: path) else { return [:] }
        do {
            let catalogue = try JSONDecoder().decode(Catalogue.self, from: data)
            return catalogue.strings.compactMapValues { entry in
                guard let localization = entry.localizations?[language] else { return nil }
                if let unit = localization.stringUnit {
                    return LocalizedText(template: unit.value, language: language)
                }
                guard let plural = localization.variations?.plural else { return nil }
                return LocalizedText(
                    template: "%#@count@",
                    plurals: ["count": plural.compactMapValues { $0.stringUnit?.value }], language: language)
            }
        } catch {
            ProgramLog.refuse("the table '\(path)' cannot be read: \(error).", remedy: "Correct the file.")
            return [:]
        }
    }
}
