import Contract
import ServiceKit
import ShieldCore

@main struct ShieldServiceMain {
    static func main() {
        ServiceMain.run("shield-service") { configuration throws(ServiceError) in
            try ShieldService(configuration).start()
        }
    }
}
