import Contract
import JSON
import Rules

extension Setting {
    /// - Throws: `invalidParams`.
    func check() throws(ServiceError) {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty }), VisibleText.isName(key) else {
            throw ServiceError(
                .invalidParams,
                "a setting's key is not a dotted name of up to \(Limits.nameBytesMax) visible bytes",
                remedy: "Use Apple's names, for example shield.applications.")
        }
        guard value.depth <= ShieldLimits.settingDepthMax else {
            throw ServiceError(
                .invalidParams,
                "the setting '\(key)' is nested \(value.depth) deep; settingDepthMax is "
                    + "\(ShieldLimits.settingDepthMax)",
                remedy: "Write a flatter value; nothing of this request was stored.")
        }
        if !value.isNull { try SettingTable[key]?.shape.check(value, key) }
    }

    var normalised: Setting {
        Setting(key: key, value: SettingTable[key]?.shape.normalised(value) ?? value)
    }

    /// - Parameter most: largest number of names in one list.
    /// - Throws: `limitExceeded`.
    func checkCount(most: Int64) throws(ServiceError) {
        guard let count = SettingTable[key]?.shape.longestList(of: value), count > most else { return }
        throw ServiceError(
            .limitExceeded, "the setting '\(key)' has a list of \(count) names; tokensMax is \(most)",
            remedy: "Name fewer, or name categories; nothing of this request was stored.")
    }
}
