public import FoundationExtras

/// An object that can receive events. Nothing on Linux sends any.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    /// Without a next responder.
    public override init() { super.init() }
    /// Always nil.
    open var next: UIResponder? { nil }
}

/// A part of a screen with its subviews. Only views that come from SwiftUI can be rendered.
open class UIView: UIResponder {
    /// In points of the superview. Kept only.
    open var frame: CGRect
    /// Kept only.
    open var backgroundColor: UIColor?
    /// Kept only.
    open var tintColor: UIColor! = .tintColor
    /// Kept only.
    open var isHidden = false
    /// Opacity from 0 to 1. Kept only.
    open var alpha: CGFloat = 1
    /// For the program's use.
    open var tag = 0
    /// Kept only: there is no layout engine.
    open var translatesAutoresizingMaskIntoConstraints = true
    /// From back to front.
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?

    /// - Parameter frame: in points.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// With an empty frame.
    public override convenience init() { self.init(frame: .zero) }

    /// Always nil, because there are no archives of views.
    public required init?(coder: NSCoder) { nil }

    /// The frame at the origin. Setting it changes the size of the frame.
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    /// Removes the view from its previous superview.
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    /// Does nothing without a superview.
    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }
}

/// Manages a view and child controllers.
open class UIViewController: UIResponder {
    private var loadedView: UIView?
    /// Kept only.
    open var title: String?
    /// In order of addition.
    open private(set) var children: [UIViewController] = []
    open private(set) weak var parent: UIViewController?
    /// The controller that `present` placed over this one.
    open private(set) var presentedViewController: UIViewController?
    open private(set) weak var presentingViewController: UIViewController?

    /// - Parameters: ignored, because there are no nib files.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    /// The same as `init(nibName:bundle:)` without a nib.
    public override convenience init() { self.init(nibName: nil, bundle: nil) }

    /// Always nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) { nil }

    /// Created on first use, which then calls `viewDidLoad()`.
    open var view: UIView! {
        get {
            if loadedView == nil {
                loadView()
                viewDidLoad()
            }
            return loadedView
        }
        set { loadedView = newValue }
    }

    /// Whether the view has been created.
    open var isViewLoaded: Bool { loadedView != nil }
    /// Creates an empty view of the size of the screen.
    open func loadView() { loadedView = UIView(frame: UIScreen.main.bounds) }
    /// Called once after the view has been created.
    open func viewDidLoad() {}
    /// Never called by this module.
    open func didMove(toParent parent: UIViewController?) {}
    /// Never called by this module.
    open func willMove(toParent parent: UIViewController?) {}

    /// Removes the controller from its previous parent.
    open func addChild(_ childController: UIViewController) {
        childController.removeFromParent()
        children.append(childController)
        childController.parent = self
    }

    /// Does nothing without a parent.
    open func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    /// Places a controller over this one. Rendering this controller renders that one. Not animated.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        completion?()
    }

    /// Ends the presentation by this controller or of this controller. Not animated.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let presenting = presentedViewController == nil ? presentingViewController : self
        presenting?.presentedViewController?.presentingViewController = nil
        presenting?.presentedViewController = nil
        completion?()
    }

    /// The visible controller: the presented one, otherwise the last child, otherwise this one.
    package var visible: UIViewController {
        presentedViewController?.visible ?? children.last?.visible ?? self
    }
}

/// A stack of controllers. The last one is visible.
open class UINavigationController: UIViewController {
    /// A stack with one controller.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        addChild(rootViewController)
    }

    /// An empty stack; the parameters are ignored.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public required init?(coder: NSCoder) { nil }

    /// The stack from bottom to top.
    open var viewControllers: [UIViewController] {
        get { children }
        set {
            children.forEach { $0.removeFromParent() }
            newValue.forEach(addChild)
        }
    }
    /// The last of the stack.
    open var topViewController: UIViewController? { children.last }
    /// The top controller or what it presents.
    open var visibleViewController: UIViewController? { children.last?.visible }

    /// Adds a controller at the top. Not animated.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        addChild(viewController)
    }

    /// Removes the top controller, unless it is the only one. Not animated.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard children.count > 1, let last = children.last else { return nil }
        last.removeFromParent()
        return last
    }
}
