package import JSON

extension Record {
    /// Bytes of the message as JSON, where each name of a subject counts as ``Limits/subjectBytes``; a longer
    /// one counts as it is, so that this is never less than the real bytes. Every limit in bytes that a
    /// program can come up to is measured by it: by real bytes it would tell how long the name behind a token
    /// is.
    package var weight: Int {
        var missing = 0
        let walk = SubjectWalk(isStrict: false, personal: .kept, unknownSettings: .kept) { _, name in
            // As it is written, without its quotes.
            missing += max(0, Limits.subjectBytes + 2 - JSONValue.string(name).encoded().count)
            return name
        }
        // A walk that refuses nothing throws only where a mark stands on what is no text: a bug that other
        // walks of the same message meet, too.
        _ = try? walk.changed(self)
        return encoded().count + missing
    }
}
