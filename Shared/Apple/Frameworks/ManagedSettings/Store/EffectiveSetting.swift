public import Combine
internal import Contract
internal import ExtensionLink
internal import JSON

/// The value that results from all stores of all clients. Queried at each read; published when a read, or a
/// write through this store object, finds a changed value.
@propertyWrapper public struct EffectiveSetting<Value> {
    let observed: ObservedSetting<Value>

    /// The effective value now. If the services cannot be reached, the value read last.
    public var wrappedValue: Value {
        observed.refresh()
        return observed.value
    }

    /// Publishes the present value, then each change.
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
            FrameworkLog.error("reading the effective value of \(key) failed: \(error.sentence)")
        }
    }

    /// The JSON form of `value`.
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
