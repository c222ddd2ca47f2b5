extension StringProtocol {
    /// Whether `part` occurs in this text, character by character; an empty part occurs in every text.
    /// Services use it instead of `contains(_:)` of `_StringProcessing`, which takes some 280 kB of each of
    /// their processes.
    package func includes(_ part: some StringProtocol) -> Bool {
        part.isEmpty || indices.contains { self[$0...].starts(with: part) }
    }
}
