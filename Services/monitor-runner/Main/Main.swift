import Contract
import MonitorCore
import ServiceKit

@main struct MonitorRunnerMain {
    static func main() {
        ServiceMain.run("monitor-runner") { configuration throws(ServiceError) in
            try MonitorService(configuration).start()
        }
    }
}
