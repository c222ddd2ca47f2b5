import Glibc

/// The result of a macro expansion: source, or errors.
package struct Expansion: Equatable {
    /// Generated Swift source; empty if there are errors.
    package var source: String
    /// Errors to show at the declaration.
    package var faults: [Fault]

    /// The source is dropped if there are errors.
    package init(_ source: String, _ faults: [Fault] = []) {
        self.source = faults.isEmpty ? source : ""
        self.faults = faults
    }

    /// An error at a position in the declaration.
    package struct Fault: Equatable {
        /// The compiler's error text.
        package var message: String
        /// Position in UTF-8 bytes from the start of the declaration's source.
        package var offset: Int

        /// An error `offset` bytes into the declaration.
        package init(_ message: String, at offset: Int) {
            self.message = message
            self.offset = offset
        }
    }
}

/// One use of an attached macro.
package struct MacroUse {
    /// The type that `#externalMacro` names.
    package var type: String
    /// The attribute with its arguments: `@Field(.publicText)`.
    package var attribute: String
    /// Source of the declaration it is attached to, with the comments before it.
    package var declaration: String
}

/// A compiler plugin (`-load-plugin-executable`). It speaks the compiler's protocol: each message is JSON
/// preceded by its length in eight bytes, little-endian (swift-syntax, SwiftCompilerPluginMessageHandling).
package enum CompilerPlugin {
    private static let protocolVersion = 7

    /// Answers requests until the compiler closes the pipe.
    package static func run(_ expand: (MacroUse) -> Expansion) {
        while let text = receive() {
            guard let message = MessageReader.read(text) else { return }
            send(answer(to: message, expand))
        }
    }

    private static func answer(to message: MessageValue, _ expand: (MacroUse) -> Expansion) -> String {
        if message["getCapability"] != nil {
            return #"{"getCapabilityResult":{"capability":{"protocolVersion":\#(protocolVersion)}}}"#
        }
        guard let call = message["expandAttachedMacro"] else {
            return #"{"expandMacroResult":{"expandedSource":"","diagnostics":[]}}"#
        }
        let place = call["declSyntax"]
        let expansion = expand(
            MacroUse(
                type: call["macro"]?["typeName"]?.text ?? "",
                attribute: call["attributeSyntax"]?["source"]?.text ?? "",
                declaration: place?["source"]?.text ?? ""))
        let file = place?["location"]?["fileName"]?.text ?? ""
        let start = place?["location"]?["offset"]?.number ?? 0
        let diagnostics = expansion.faults.map { fault in
            #"{"message":\#(quoted(fault.message)),"severity":"error","position":"#
                + #"{"fileName":\#(quoted(file)),"offset":\#(start + fault.offset)},"#
                + #""highlights":[],"notes":[],"fixIts":[]}"#
        }
        return #"{"expandMacroResult":{"expandedSource":\#(quoted(expansion.source)),"#
            + #""diagnostics":[\#(diagnostics.joined(separator: ","))]}}"#
    }

    /// `text` as a string literal that is valid both in JSON and in Swift.
    package static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            case "\r": literal += "\\r"
            default: literal.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
            }
        }
        return literal + "\""
    }

    private static func receive() -> [UInt8]? {
        guard let header = read(8) else { return nil }
        return read(header.reversed().reduce(0) { $0 << 8 | Int($1) })
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes[done...].withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private static func send(_ text: String) {
        let body = Array(text.utf8)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
        var done = 0
        while done < bytes.count {
            let sent = bytes[done...].withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            guard sent > 0 else { return }
            done += sent
        }
    }
}
