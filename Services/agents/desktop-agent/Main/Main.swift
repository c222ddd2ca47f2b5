import Contract
import DesktopCore
import ServiceKit

@main struct DesktopAgentMain {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        ServiceMain.run("desktop-agent", takesArguments: true) { configuration throws(ServiceError) in
            if arguments == [ThawCommand.option] { return try ThawCommand(configuration).start() }
            let options = try AgentOptions(
                arguments: arguments, environment: Configuration.processEnvironment)
            try DesktopAgent(configuration, options).start()
        }
    }
}
