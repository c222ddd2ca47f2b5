internal import CMicrohttpd
package import Loop

/// The body of a response that is written as time goes by, as server-sent events are.
@LoopActor package final class HTTPStream {
    private var queue: [UInt8] = []
    private(set) var isClosed = false
    /// The connection, while it waits for something to send.
    private var waiting: OpaquePointer?
    private weak var server: HTTPServer?
    /// Called once: the reader is gone, or the stream was closed.
    package var onEnd: (@LoopActor () -> Void)?

    package init() {}

    /// Sends these bytes after those before. Does nothing after the end. More than
    /// ``HTTPLimits/streamBytesMax`` unsent bytes end the stream.
    package func write(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        guard queue.count + bytes.count <= HTTPLimits.streamBytesMax else { return close() }
        queue += bytes
        resume()
    }

    /// Ends the body after what was written.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        resume()
        ended()
    }

    func begin(on server: HTTPServer) { self.server = server }

    /// The connection ended.
    func wasCut() {
        waiting = nil
        isClosed = true
        ended()
    }

    private func ended() {
        let body = onEnd
        onEnd = nil
        body?()
    }

    private func resume() {
        guard let connection = waiting else { return }
        waiting = nil
        server?.resume(connection)
    }

    /// Fills the buffer of a connection, or suspends it until there is something to send.
    func read(into buffer: UnsafeMutableBufferPointer<CChar>, of connection: OpaquePointer) -> Int {
        guard !queue.isEmpty else {
            if isClosed { return microhttpd_end_of_stream() }
            waiting = connection
            server?.suspend(connection) { [weak self] in self?.close() }
            return 0
        }
        let count = min(queue.count, buffer.count)
        for index in 0..<count { buffer[index] = CChar(bitPattern: queue[index]) }
        queue.removeFirst(count)
        return count
    }
}
