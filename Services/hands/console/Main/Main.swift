import ConsoleCore
import Contract
import ServiceKit

@main struct ConsoleMain {
    static func main() {
        ServiceMain.run(AgentName.console) { configuration throws(ServiceError) in
            try ConsoleProcess(configuration, environment: Configuration.processEnvironment).start()
        }
    }
}
