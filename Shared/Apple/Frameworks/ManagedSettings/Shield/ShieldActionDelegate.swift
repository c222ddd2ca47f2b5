internal import Contract
internal import ExtensionLink
public import Foundation
internal import FoundationExtras

/// The principal class of a shield-action extension: subclass it and override the methods you need.
///
/// The overload depends on what the shield comes from: an app or web domain that is listed itself, or a
/// category. The completion handler may be called later and from any thread; only the first call counts. If
/// it is never called, or is released, the shield does not change and the extension's log says so.
open class ShieldActionDelegate: NSObject {
    /// Called once by ``serve(_:)``, before the first action.
    public override init() { super.init() }

    /// Called for a shield on a listed app. The base class answers `.none`.
    open func handle(
        action: ShieldAction, for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.none)
    }

    /// Called for a shield on a category. The base class answers `.none`.
    open func handle(
        action: ShieldAction, for category: ActivityCategoryToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.none)
    }

    /// Called for a shield on a listed web domain. The base class answers `.none`.
    open func handle(
        action: ShieldAction, for webDomain: WebDomainToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.none)
    }

    /// Creates the extension's principal object once, on the calling thread, and serves its host. The main
    /// thread then serves the main queue. The extension build calls this function; Apple has no counterpart.
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

    /// Calls the overload for the origin of the shield.
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
