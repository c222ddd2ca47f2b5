import ExtensionKit

@main struct LimitsMonitorMain {
    static func main() { ExtensionMain.run(LimitsMonitor()) }
}
