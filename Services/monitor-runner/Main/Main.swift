import MonitorCore
import ServiceKit

@main struct MonitorRunnerMain {
    static func main() { ServiceMain.run(MonitorService.self) }
}
