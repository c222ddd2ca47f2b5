@_exported public import ManagedSettings
@_exported public import UIKit
