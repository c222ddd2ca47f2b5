import ActivityCore
import Contract
import ServiceKit

@main struct ActivityCenterMain {
    static func main() {
        ServiceMain.run("activity-center") { configuration throws(ServiceError) in
            try ActivityCenter(configuration).start()
        }
    }
}
