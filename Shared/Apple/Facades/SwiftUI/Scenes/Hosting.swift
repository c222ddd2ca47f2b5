public import UIKit

/// A view controller that shows a view. Nothing shows view controllers here: it carries its view.
@MainActor open class UIHostingController<Content: View>: UIViewController {
    /// The view.
    public var rootView: Content
    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }
    @available(*, unavailable, message: "Make it with init(rootView:).")
    public required init?(coder: NSCoder) { nil }
}
