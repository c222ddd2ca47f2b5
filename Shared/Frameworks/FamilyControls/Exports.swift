@_exported public import ManagedSettings
@_exported public import SwiftUI
@_exported public import UIKit
