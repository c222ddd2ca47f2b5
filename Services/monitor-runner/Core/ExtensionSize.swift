import Contract

/// Limits the texts in an extension's record. They come from a bundle, from the program or from another host,
/// and `extension.list` must fit all of them into one answer.
enum ExtensionSize {
    /// - Parameter known: all installed extensions.
    /// - Throws: `invalidArgument`; `limitExceeded`
    static func check(_ program: ExtensionRecord, beside known: [ExtensionRecord]) throws(ServiceError) {
        let names = [
            ("CFBundleDisplayName, or CFBundleName", program.name),
            ("the principal class", program.principalClass),
        ]
        for (what, name) in names {
            let bytes = name?.utf8.count ?? 0
            guard bytes > Limits.nameBytesMax else { continue }
            throw ServiceError(
                .invalidArgument,
                "\(what) of the bundle has \(bytes) bytes; nameBytesMax is \(Limits.nameBytesMax)",
                remedy: "Write a shorter one into Info.plist.")
        }
        let own = program.encoded().count
        if own > MonitorLimits.extensionBytesMax {
            throw tooLarge(
                "the extension's record", own, "extensionBytesMax", MonitorLimits.extensionBytesMax)
        }
        let all = known.reduce(own) { $1.id == program.id ? $0 : $0 + $1.encoded().count + 1 }
        if all > MonitorLimits.allExtensionBytesMax {
            throw tooLarge(
                "the list of extensions", all, "allExtensionBytesMax", MonitorLimits.allExtensionBytesMax)
        }
    }

    private static func tooLarge(_ what: String, _ bytes: Int, _ limit: String, _ most: Int) -> ServiceError {
        ServiceError(
            .limitExceeded, "\(what) would have \(bytes) bytes; \(limit) is \(most)",
            remedy: "Use shorter paths and names, or remove unused extensions.")
    }
}

extension ExtensionRecord {
    /// The record with its state texts shortened.
    var shortened: ExtensionRecord {
        var short = self
        short.lastError = lastError.map(Self.shortened)
        short.measured?.callback = Self.shortened(measured?.callback ?? "")
        short.confinement = confinement.map(Self.shortened)
        short.unconfined = unconfined.map(Self.shortened)
        return short
    }

    private static func shortened(_ texts: [String]) -> [String] {
        texts.prefix(MonitorLimits.stateSentencesMax).map { shortened($0) }
    }

    private static func shortened(_ text: String) -> String {
        VisibleText.shortened(text, bytesMax: MonitorLimits.stateTextBytesMax)
    }
}
