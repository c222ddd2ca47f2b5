/// Report extensions written for iOS import it beside DeviceActivity; what they use of it stands there.
@_exported public import Foundation
