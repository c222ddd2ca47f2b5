import Contract
import Loop
import Units

/// Detailed use and history are kept for a number of days (`SCREENTIME_DAYS_KEPT`). Older data is deleted
/// once a day by the service's clock, by the code of `privacy.forget`.
extension Service {
    /// Runs at the start and soon after each midnight UTC.
    func keepForDays() {
        guard let days = configuration.daysKept else { return }
        let now = clock.now
        let midnight = now - now.sinceEpoch.flooredRemainder(.day)
        // One more day, so that the last `days` local days are complete in every time zone.
        let cutoff = midnight - .days(days + 1)
        if cutoff > 0 {
            Task { @LoopActor in
                do {
                    let forgetting = Forgetting(member: nil, extent: .stretch(from: 0, to: cutoff))
                    // Set aside just now, they are not told of yet.
                    _ = try await self.forget(forgetting, unreadableUntil: cutoff, onlyIfAny: true)
                } catch {
                    self.log.error(
                        "deleting expired data failed; it will be retried tomorrow",
                        [("error", .name(of: error))])
                }
            }
        }
        // One service after the other, so that a copy applies its owner's events before its own turn.
        let place = Int64(ServiceName.startOrder.firstIndex(of: name) ?? 0)
        _ = clock.at(midnight + .day + .seconds(place)) { [weak self] in self?.keepForDays() }
    }
}
