import ReportCore
import ServiceKit

@main struct ReportServiceMain {
    static func main() { ServiceMain.run(ReportService.self) }
}
