import Contract
import Units

/// The delay after which a member may approve their own requests. A shorter one waits for the old one
/// (docs/time.md, section 9).
extension Member {
    /// The delay in effect at `now`.
    func selfApprovalDelay(at now: Instant) -> Milliseconds {
        (settled(at: now).selfApprovalMinutes ?? Self.selfApprovalMinutesDefault) * Milliseconds.minute
    }

    /// The member at `now`: a shorter delay that is due is in effect.
    func settled(at now: Instant) -> Member {
        guard let next = nextSelfApprovalMinutes, let due = nextSelfApprovalAt, due <= now else {
            return self
        }
        var settled = self
        settled.selfApprovalMinutes = next
        (settled.nextSelfApprovalMinutes, settled.nextSelfApprovalAt) = (nil, nil)
        return settled
    }

    /// The member after they chose another delay at `now`. The same shorter one again changes nothing.
    func choosing(selfApprovalMinutes chosen: Int64, at now: Instant) -> Member {
        var changed = settled(at: now)
        if chosen >= changed.selfApprovalMinutes ?? Self.selfApprovalMinutesDefault {
            changed.selfApprovalMinutes = chosen
            (changed.nextSelfApprovalMinutes, changed.nextSelfApprovalAt) = (nil, nil)
        } else if chosen != changed.nextSelfApprovalMinutes {
            changed.nextSelfApprovalMinutes = chosen
            changed.nextSelfApprovalAt = now + changed.selfApprovalDelay(at: now)
        }
        return changed
    }
}
