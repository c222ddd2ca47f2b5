import Contract
import Loop
import Units

/// Detailed use and history are kept for so many days (`SCREENTIME_DAYS_KEPT`); what is older is forgotten
/// once a day by the service's clock, by the code of `privacy.forget`.
extension Service {
    /// At the start, and again soon after each midnight of UTC.
    func keepForDays() {
        guard let days = configuration.daysKept else { return }
        let now = clock.now
        let midnight = now - now.sinceEpoch.flooredRemainder(.day)
        // One more, so that the last `days` local days are whole in every zone.
        let cutoff = midnight - .days(days + 1)
        if cutoff > 0 {
            Task { @LoopActor in
                do {
                    let forgetting = Forgetting(member: nil, extent: .stretch(from: 0, to: cutoff))
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
        _ = clock.at(midnight + .day + .seconds(place)) { [weak self] in self?.keepForDays() }
    }
}
