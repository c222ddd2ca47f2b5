public import Combine
internal import Contract
internal import ExtensionLink
internal import JSON

/// A value that all stores of all clients come to. Asked for anew at each read; published when a read, or a
/// write of this store object, finds another.
@propertyWrapper public struct EffectiveSetting<Value> {
    let observed: ObservedSetting<Value>

    public var wrappedValue: Value {
        observed.refresh()
        return observed.value
    }

    /// The present value, then each other one.
    public var projectedValue: Published<Value>.Publisher {
        observed.refresh()
        return observed.$value
    }
}

final class ObservedSetting<Value> {
    @Published fileprivate(set) var value: Value
    private let key: String
    private let unset: JSONValue
    private let read: (JSONValue) -> Value?

    fileprivate init(
        _ key: String, _ unset: JSONValue, _ value: Value, _ read: @escaping (JSONValue) -> Value?
    ) {
        self.key = key
        self.unset = unset
        self.value = value
        self.read = read
    }

    func refresh() {
        do throws(ServiceError) {
            let settings = try Link.shared.call(
                SettingsEffective.self, SettingsEffective.Params(member: ProgramMember.current)
            ).settings
            let present = settings.first { $0.key == key }?.value ?? unset
            guard present != json, let new = read(present) else { return }
            json = present
            value = new
        } catch {
            FrameworkLog.error("reading what holds for \(key) failed: \(error.sentence)")
        }
    }

    /// What `value` is made of.
    private lazy var json = unset
}

extension EffectiveSetting<Bool> {
    init(flag key: String) { observed = ObservedSetting(key, false, false) { $0.boolValue } }
}

extension EffectiveSetting<Int> {
    init(rating key: String) {
        let unset = BoundedSettingMetadata<Int>(of: key).defaultValue
        observed = ObservedSetting(key, .integer(Int64(unset)), unset) { $0.integerValue.map { Int($0) } }
    }
}
