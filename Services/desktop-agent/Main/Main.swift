import Contract
import DesktopCore
import ServiceKit

@main struct DesktopAgentMain {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == GuardProcess.option, arguments.count == 2 {
            GuardProcess.run(notePath: arguments[1])
        }
        ServiceMain.run("desktop-agent", takesArguments: true) { configuration throws(ServiceError) in
            let options = try AgentOptions(
                arguments: arguments, environment: Configuration.processEnvironment)
            try DesktopAgent(configuration, options).start()
        }
    }
}
