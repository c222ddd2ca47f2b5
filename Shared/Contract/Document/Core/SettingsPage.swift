internal import Contract
internal import JSON

/// The managed settings as a page, from ``SettingTable``.
enum SettingsPage {
    static var text: String {
        let rows = SettingTable.all.sorted { $0.key < $1.key }.map { setting in
            let cells = [value(setting.shape), merged(setting.shape), effect(setting.effect)]
            return "| `\(setting.key)` | \(cells.joined(separator: " | ")) |"
        }
        return """
            # Managed settings

            Made from the code by `scripts/contract.sh`. The keys are Apple's, but for `allow.…`, which are \
            the person's own. A setting that is not in the table is kept as it comes, and reaches no program.

            | key | value | where several stores set it | effect |
            | --- | --- | --- | --- |
            \(rows.joined(separator: "\n"))

            """
    }

    private static func value(_ shape: SettingShape) -> String {
        switch shape {
        case .flag: "true or false"
        case .rating(let bounds, let unset):
            "\(bounds.lowerBound) to \(bounds.upperBound); unset: \(unset)"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .names(let subjects): "a list of \(plural(subjects))"
        case .ownNames: "a list of names that the program gave"
        case .policy(let policies, _, let lists):
            "`policy` \(policies.map { "`\($0)`" }.joined(separator: ", ")), with "
                + lists.keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
        }
    }

    private static func plural(_ subjects: FieldMark.Subject) -> String {
        switch subjects {
        case .app: "apps"
        case .domain: "domains"
        case .category: "categories"
        case .appOrDomain: "apps and domains"
        }
    }

    private static func merged(_ shape: SettingShape) -> String {
        switch shape {
        case .flag: "true, if one says so"
        case .rating: "the least"
        case .word: "the one that stands first here"
        case .names, .ownNames: "all names"
        case .policy: "each for itself"
        }
    }

    private static func effect(_ effect: SettingEffect) -> String {
        switch effect {
        case .shields: "decides what is shielded"
        case .asked: "`settings.effective` tells it to whoever asks"
        case .none(let why): "no effect: \(why)"
        }
    }
}
