package import Contract

extension CallbackName: Comparable {
    /// The order of callbacks that are due at one instant: a threshold reached at an interval's end is
    /// delivered inside that interval, and one interval ends before the next starts.
    package static func < (left: CallbackName, right: CallbackName) -> Bool { left.place < right.place }

    private var place: Int {
        switch self {
        case .eventWillReachThresholdWarning: 0
        case .eventDidReachThreshold: 1
        case .intervalWillEndWarning: 2
        case .intervalDidEnd: 3
        case .intervalWillStartWarning: 4
        case .intervalDidStart: 5
        }
    }
}
