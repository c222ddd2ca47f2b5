import Contract
import CoverCore
import ServiceKit

@main struct ShieldCoverMain {
    static func main() {
        PictureProgram.runIfAsked(CommandLine.arguments)
        ServiceMain.run("shield-cover") { configuration throws(ServiceError) in
            try CoverProcess(configuration, environment: Configuration.processEnvironment).start()
        }
    }
}
