import AuthCore
import ServiceKit

@main struct AuthServiceMain {
    static func main() { ServiceMain.run(AuthService.self) }
}
