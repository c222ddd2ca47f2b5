import Contract
import NotifierCore
import ServiceKit

@main struct NotifierMain {
    static func main() {
        ServiceMain.run("notifier") { configuration throws(ServiceError) in
            let address = Configuration.processEnvironment["DBUS_SESSION_BUS_ADDRESS"]
            try NotifierService(configuration, address: address).start()
        }
    }
}
