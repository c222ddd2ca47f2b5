import Loop
import Units

/// A cover that stands over a window.
@LoopActor final class PlacedCover {
    let surface: any CoverSurface
    let id: UInt32
    var frame: Frame
    /// Number of the request by which its window was found: an end that the server tells with a smaller one
    /// was another window's.
    let foundBy: UInt32
    var isShown = false
    /// How often it was mapped again since it was on the screen last; nil before that.
    var mappings: Int?
    /// Where its app asks something. Covers of several windows may share it.
    var question: AskedQuestion?
    /// The workspace that the manager was asked for.
    var desktop: UInt32?
    /// Corrections in a row without an effect.
    var attempts = 0
    var activations = 0
    /// Whether it was given the focus because its target had it.
    var isTaken = false
    var restacks = 0
    /// How often the protocols of its window were written while it stood, also by us.
    var protocolChanges = 0
    var iconRequests = 0
    /// Since when its window is minimised and it is not, on the monotonic clock.
    var minimising: Milliseconds?

    init(surface: any CoverSurface, id: UInt32, frame: Frame, foundBy: UInt32) {
        self.surface = surface
        self.id = id
        self.frame = frame
        self.foundBy = foundBy
    }
}

extension Frame {
    /// This frame if the shadows are no shadows: wider than borders are, or more than half of a window.
    /// - Parameter shadows: left, right, top, bottom.
    func without(shadows: [Int]) -> Frame {
        guard shadows.allSatisfy({ (0...CoverLimits.borderMax).contains($0) }) else { return self }
        let inner = widened(shadows.map { -$0 })
        return inner.width * 2 >= width && inner.height * 2 >= height && inner.width > 0 && inner.height > 0
            ? inner : self
    }

    /// - Parameter sides: left, right, top, bottom.
    func widened(_ sides: [Int]) -> Frame {
        Frame(
            x: x - sides[0], y: y - sides[2], width: width + sides[0] + sides[1],
            height: height + sides[2] + sides[3])
    }
}
