@_exported public import Combine
@_exported public import FoundationExtras
@_exported public import ManagedSettings
@_exported public import SwiftUI
@_exported public import UIKit
