package import JSON

extension Record {
    /// Bytes of the message as JSON, where each subject's name counts as ``Limits/subjectBytes``, or as its
    /// own length if that is greater. The weight is therefore never less than the real size. All byte limits
    /// that a program can reach use it: the real size would reveal the length of the name behind a token.
    package var weight: Int {
        var missing = 0
        let walk = SubjectWalk(isStrict: false, personal: .kept, unknownSettings: .kept) { _, name in
            // The encoded length without the quotes.
            missing += max(0, Limits.subjectBytes + 2 - JSONValue.string(name).encoded().count)
            return name
        }
        // A walk that refuses nothing throws only where a mark is on a field that is no text, which is a bug
        // that other walks of the same message find, too.
        _ = try? walk.changed(self)
        return encoded().count + missing
    }
}
