import ActivityCore
import ServiceKit

@main struct ActivityCenterMain {
    static func main() { ServiceMain.run(ActivityCenter.self) }
}
