import ShieldCore
import ServiceKit

@main struct ShieldServiceMain {
    static func main() { ServiceMain.run(ShieldService.self) }
}
