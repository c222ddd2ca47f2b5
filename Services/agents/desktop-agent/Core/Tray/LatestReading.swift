import Loop

/// Reads a value that changes: one reading at a time, and once more if it changed during one.
@LoopActor final class LatestReading<Value: Sendable> {
    typealias Take = @LoopActor (Value) -> Void

    private let start: @LoopActor (@escaping Take) -> Void
    private let take: Take
    private var isReading = false
    /// Whether the reading that is under way may be of before a change, and whether that change is known.
    private var (isStale, isOutdated) = (false, false)

    /// - Parameters:
    ///   - start: begins a reading, and hands over its value exactly once.
    ///   - take: gets the value of each reading, in order; not of one that is older than what is known.
    init(_ start: @escaping @LoopActor (@escaping Take) -> Void, take: @escaping Take) {
        self.start = start
        self.take = take
    }

    /// It changed, and is known: what a reading that is under way finds may be of before, and is read again.
    func changed() { (isStale, isOutdated) = (isReading, isReading) }

    /// Reads it, as it is now or later.
    func read() {
        guard !isReading else { return isStale = true }
        isReading = true
        start { [weak self] value in
            guard let self else { return }
            let (mustRead, isOld) = (isStale, isOutdated)
            (isReading, isStale, isOutdated) = (false, false, false)
            if !isOld { take(value) }
            if mustRead { read() }
        }
    }
}
