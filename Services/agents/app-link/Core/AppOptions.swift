import Contract

/// The arguments that the app's link passes when it starts this program.
struct AppOptions {
    /// Descriptor of this end of the socket pair.
    let socket: Int32
    /// The bundle id that the program claims.
    let client: String?

    init(_ arguments: [String]) throws(ServiceError) {
        var rest = arguments[...]
        var socket: Int32?
        var client: String?
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Self.wrong }
            switch option {
            case "--socket": socket = Int32(value)
            case "--client": client = value
            default: throw Self.wrong
            }
        }
        guard let socket, socket >= 3 else { throw Self.wrong }
        self.socket = socket
        self.client = client
    }

    private static let wrong = ServiceError(
        .invalidArgument, "this program is started by apps that use the Screen Time frameworks",
        remedy: "Start the app.")
}
