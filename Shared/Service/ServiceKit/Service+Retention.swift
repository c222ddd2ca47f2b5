import Contract
import Loop

/// Detailed use and history are kept for so many days (`SCREENTIME_DAYS_KEPT`); what is older is forgotten
/// once a day by the service's clock, by the code of `privacy.forget`.
extension Service {
    private static let day_ms: Int64 = 86_400_000

    /// At the start, and again soon after each midnight of UTC.
    func keepForDays() {
        guard let days = configuration.daysKept else { return }
        let now_ms = clock.nowMs
        let midnight_ms = now_ms - now_ms % Self.day_ms
        // One more, so that the last `days` local days are whole in every zone.
        let cutoff_ms = midnight_ms - (days + 1) * Self.day_ms
        if cutoff_ms > 0 {
            Task { @LoopActor in
                do {
                    let forgetting = Forgetting(member: nil, extent: .stretch(from_ms: 0, to_ms: cutoff_ms))
                    _ = try await self.forget(forgetting, onlyIfAny: true)
                } catch {
                    self.log.error(
                        "forgetting what is older than it may be failed; it is tried again tomorrow",
                        [("error", .text(ServiceError(anything: error).name.rawValue))])
                }
            }
        }
        // One after the other: what the owner tells the copy is taken in before the copy's own turn.
        let place = Int64(ServiceName.startOrder.firstIndex(of: name) ?? 0)
        _ = clock.at(midnight_ms + Self.day_ms + place * 1_000) { [weak self] in self?.keepForDays() }
    }
}
