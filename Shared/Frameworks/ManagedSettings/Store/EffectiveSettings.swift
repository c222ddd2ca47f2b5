internal import Contract
internal import ExtensionLink
internal import JSON
internal import Synchronization
internal import os
public import Combine

/// What all stores of all clients come to; one for the process.
final class EffectiveSettings: ObservableObject {
    nonisolated static let shared = EffectiveSettings()

    @Published fileprivate(set) var denyExplicitContent = false
    @Published fileprivate(set) var maximumMovieRating = 1000
    @Published fileprivate(set) var maximumTVShowRating = 1000
}
