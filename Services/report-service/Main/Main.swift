import Contract
import ReportCore
import ServiceKit

@main struct ReportServiceMain {
    static func main() {
        ServiceMain.run("report-service") { configuration throws(ServiceError) in
            try ReportService(configuration).start()
        }
    }
}
