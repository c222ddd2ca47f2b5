/// Report extensions for iOS import this module next to DeviceActivity, which contains the part of it that
/// they use.
@_exported public import Foundation
