@_exported public import ManagedSettings
internal import SwiftUI
