internal import Contract
internal import ExtensionLink
public import Foundation
internal import FoundationExtras

/// The principal class of a shield-action extension: subclass it, and override what you answer.
///
/// Which overload is called says what the shield comes from: an app or web domain that is listed itself, or a
/// category. The completion handler may be called later and from any thread; its first call counts. Where it
/// is never called, or let go of, the shield stays as it is and the system says so in the extension's log.
open class ShieldActionDelegate: NSObject {
    public override init() { super.init() }

    /// The base class answers `.none`.
    open func handle(
        action: ShieldAction, for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.none)
    }

    /// The base class answers `.none`.
    open func handle(
        action: ShieldAction, for category: ActivityCategoryToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.none)
    }

    /// The base class answers `.none`.
    open func handle(
        action: ShieldAction, for webDomain: WebDomainToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.none)
    }

    /// Makes the extension's principal object, here and once, and serves the system with it: the main thread
    /// goes on to serve the main queue. What the build of an extension calls; Apple's systems have no such
    /// function.
    public static func serve(_ principal: @autoclosure () -> sending ShieldActionDelegate) -> Never {
        let delegate = principal()
        Link.shared.name(principal: type(of: delegate))
        Link.shared.serve(ShieldAct.self) { params, answer in
            guard let action = ShieldAction(name: params.action) else {
                return _ = answer.give(
                    .failure(
                        ServiceError(
                            .invalidParams, "there is no shield action '\(params.action.prefix(64))'",
                            remedy: "Run the same version of the system and of the extension's frameworks.")))
            }
            delegate.handle(action, params) { answer.give(.success(ShieldAct.Result(response: $0.name))) }
        }
        Link.shared.serveForever(MainThread.serve)
    }

    /// Calls the overload for what the shield comes from.
    private func handle(
        _ action: ShieldAction, _ params: ShieldAct.Params,
        _ completion: @escaping (ShieldActionResponse) -> Void
    ) {
        switch params.kind {
        case .application:
            guard let token = ApplicationToken(wireText: params.token) else { return }
            handle(action: action, for: token, completionHandler: completion)
        case .category:
            guard let token = ActivityCategoryToken(wireText: params.token) else { return }
            handle(action: action, for: token, completionHandler: completion)
        case .webDomain:
            guard let token = WebDomainToken(wireText: params.token) else { return }
            handle(action: action, for: token, completionHandler: completion)
        }
    }
}
