package import Loop

/// A method call of another program.
package struct DBusCall {
    /// Path of the object that is called.
    package let path: String
    /// Interface of the method; empty if the caller named none, which D-Bus allows.
    package let interface: String
    /// Name of the method.
    package let member: String
    /// The caller's unique name, set by the bus.
    package let sender: String
    /// Types of its arguments, as the caller sent them.
    package let signature: String
    /// Its arguments; fewer than the signature says if the message has more than `DBusLimits` allows.
    package let body: [DBusValue]

    package init(
        path: String, interface: String, member: String, sender: String, signature: String, body: [DBusValue]
    ) {
        self.path = path
        self.interface = interface
        self.member = member
        self.sender = sender
        self.signature = signature
        self.body = body
    }
}

/// What is answered to a call.
package enum DBusAnswer: Equatable {
    case values([DBusValue])
    case failure(DBusFailure, String)

    package static func nobody(_ path: String) -> DBusAnswer {
        .failure(.unknownObject, "there is no object '\(path)' here")
    }
}

/// Errors of the D-Bus specification that are answered here.
package enum DBusFailure: String {
    case unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    case unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    case unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    case unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
    case propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    case invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
}

/// One interface of an exported object. A table, from which its introspection follows, too.
package struct DBusInterface {
    /// A method. Types are complete ones, one for each argument.
    package struct Method {
        let takes: [String]
        let gives: [String]
        let body: @LoopActor ([DBusValue]) -> DBusAnswer

        /// - Parameter body: called with as many values as `takes` has, of these types.
        package init(
            takes: [String] = [], gives: [String] = [],
            _ body: @escaping @LoopActor ([DBusValue]) -> DBusAnswer
        ) {
            self.takes = takes
            self.gives = gives
            self.body = body
        }
    }

    /// A property, which others may only read.
    package struct Property {
        let type: String
        let read: @LoopActor () -> DBusValue

        /// - Parameter type: of what `read` returns.
        package init(_ type: String, _ read: @escaping @LoopActor () -> DBusValue) {
            self.type = type
            self.read = read
        }
    }

    let name: String
    let methods: [String: Method]
    let properties: [String: Property]
    /// Types of the arguments, by name of the signal.
    let signals: [String: [String]]

    package init(
        _ name: String, methods: [String: Method], properties: [String: Property] = [:],
        signals: [String: [String]] = [:]
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}

/// The objects that a process exports: checks each call by the table of its interface, and answers
/// `Properties` and `Introspectable` for all.
@LoopActor package struct DBusObjects {
    private let objects: [String: [DBusInterface]]
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let introspectable = "org.freedesktop.DBus.Introspectable"

    /// - Parameter objects: the interfaces of each object, by path.
    package init(_ objects: [String: [DBusInterface]]) { self.objects = objects }

    package func answer(_ call: DBusCall) -> DBusAnswer {
        if call.member == "Introspect", Self.isOf(Self.introspectable, call) { return introspect(call.path) }
        guard let own = objects[call.path] else { return .nobody(call.path) }
        let common = DBusInterface(
            Self.properties,
            methods: [
                "Get": .init(takes: ["s", "s"]) { Self.get(own, $0) },
                "GetAll": .init(takes: ["s"]) { Self.getAll(own, $0) },
                "Set": .init(takes: ["s", "s", "v"]) { _ in
                    .failure(.propertyReadOnly, "no property can be changed here")
                },
            ])
        let named = (own + [common]).filter { Self.isOf($0.name, call) }
        guard !named.isEmpty else {
            return .failure(.unknownInterface, "'\(call.path)' has no interface '\(call.interface)'")
        }
        guard let method = named.lazy.compactMap({ $0.methods[call.member] }).first else {
            return .failure(.unknownMethod, "'\(call.path)' has no method '\(call.member)'")
        }
        let types = method.takes.joined()
        guard call.signature == types, call.body.count == method.takes.count else {
            return .failure(.invalidArguments, "'\(call.member)' takes '\(types)'")
        }
        return method.body(call.body)
    }

    private static func isOf(_ interface: String, _ call: DBusCall) -> Bool {
        call.interface.isEmpty || call.interface == interface
    }

    private static func get(_ own: [DBusInterface], _ words: [DBusValue]) -> DBusAnswer {
        let (interface, name) = (words[0].text ?? "", words[1].text ?? "")
        let found = own.lazy.filter { interface.isEmpty || $0.name == interface }
            .compactMap { $0.properties[name] }.first
        guard let found else { return .failure(.unknownProperty, "there is no such property") }
        return .values([.variant(found.read())])
    }

    private static func getAll(_ own: [DBusInterface], _ words: [DBusValue]) -> DBusAnswer {
        let interface = words[0].text ?? ""
        let all = own.filter { interface.isEmpty || $0.name == interface }.flatMap(\.properties)
        return .values([.dictionary(all.sorted { $0.key < $1.key }.map { ($0.key, $0.value.read()) })])
    }

    // MARK: introspection

    private func introspect(_ path: String) -> DBusAnswer {
        let folder = path == "/" ? path : path + "/"
        let below = Set(
            objects.keys.filter { $0.hasPrefix(folder) && $0 != path }.compactMap {
                $0.dropFirst(folder.utf8.count).split(separator: "/").first.map(String.init)
            })
        guard objects[path] != nil || !below.isEmpty else { return .nobody(path) }
        let inside =
            (objects[path] ?? []).map(Self.described) + below.sorted().map { "<node name=\"\($0)\"/>" }
        return .values([.string("<node>" + inside.joined() + "</node>")])
    }

    private static func described(_ one: DBusInterface) -> String {
        func arguments(_ types: [String], _ direction: String) -> String {
            types.map { "<arg type=\"\($0)\"\(direction)/>" }.joined()
        }
        let methods = one.methods.sorted { $0.key < $1.key }.map { name, method in
            "<method name=\"\(name)\">" + arguments(method.takes, " direction=\"in\"")
                + arguments(method.gives, " direction=\"out\"") + "</method>"
        }
        let properties = one.properties.sorted { $0.key < $1.key }.map { name, property in
            "<property name=\"\(name)\" type=\"\(property.type)\" access=\"read\"/>"
        }
        let signals = one.signals.sorted { $0.key < $1.key }.map { name, types in
            "<signal name=\"\(name)\">" + arguments(types, "") + "</signal>"
        }
        let all = (methods + properties + signals).joined()
        return "<interface name=\"\(one.name)\">\(all)</interface>"
    }
}
