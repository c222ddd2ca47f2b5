public import UIKit

/// A view controller with a SwiftUI view. Nothing displays view controllers here.
@MainActor open class UIHostingController<Content: View>: UIViewController {
    /// The view that the controller holds.
    public var rootView: Content
    /// - Parameter rootView: held, not rendered.
    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }
    @available(*, unavailable, message: "Make it with init(rootView:).")
    public required init?(coder: NSCoder) { nil }
}
