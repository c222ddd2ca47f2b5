import CGtk4
import Glibc
import Loop
import ScreenTimeTesting
import Testing

@testable import CoverCore

/// GLib's main context on the reactor.
@Suite(.serialized) @LoopActor struct MainContextTests {
    /// What GLib called.
    @LoopActor private final class Calls {
        let done = Expectation<String>("a call of GLib")
    }

    private nonisolated static func note(_ data: gpointer?, _ what: String) {
        guard let data else { return }
        // GLib calls on the reactor's thread.
        nonisolated(unsafe) let pointer = data
        LoopActor.assumeOnLoop {
            Unmanaged<Calls>.fromOpaque(pointer).takeUnretainedValue().done.fulfil(what)
        }
    }

    private func withContext(_ body: (UnsafeMutableRawPointer) -> Void) async throws -> String {
        let context = MainContext()
        defer { context.close() }
        let calls = Calls()
        body(Unmanaged.passUnretained(calls).toOpaque())
        let what = try await calls.done.wait(deadline: 60_000)
        withExtendedLifetime(calls) {}
        return what
    }

    @Test func timeoutsRun() async throws {
        let what = try await withContext { data in
            g_timeout_add(
                30,
                { data in
                    MainContextTests.note(data, "timeout")
                    return 0
                }, data)
        }
        #expect(what == "timeout")
    }

    @Test func idleSourcesRun() async throws {
        let what = try await withContext { data in
            g_idle_add(
                { data in
                    MainContextTests.note(data, "idle")
                    return 0
                }, data)
        }
        #expect(what == "idle")
    }

    @Test func descriptorsRun() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let channel = g_io_channel_unix_new(ends[0])
        defer { g_io_channel_unref(channel) }
        let output = ends[1]
        let what = try await withContext { data in
            g_io_add_watch(
                channel, G_IO_IN,
                { _, _, data in
                    MainContextTests.note(data, "descriptor")
                    return 0
                }, data)
            // Later, so that the reactor has to be woken by it.
            EventLoop.main.after(30) { _ = write(output, "x", 1) }
        }
        #expect(what == "descriptor")
    }

    /// The descriptor can be read already; events of GTK have the same priority.
    @Test func eventsAreHandledBeforeWhatComesAfterThem() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(write(ends[1], "x", 1) == 1)
        let channel = g_io_channel_unix_new(ends[0])
        defer { g_io_channel_unref(channel) }
        let what = try await withContext { data in
            nonisolated(unsafe) let pointer = data  // Only handed on.
            GTK.afterEvents { MainContextTests.note(pointer, "afterwards") }
            g_io_add_watch(
                channel, G_IO_IN,
                { _, _, data in
                    MainContextTests.note(data, "descriptor")
                    return 0
                }, data)
        }
        #expect(what == "descriptor")
    }

    @Test func whatComesAfterEventsComesWithoutAny() async throws {
        let what = try await withContext { data in
            nonisolated(unsafe) let pointer = data  // Only handed on.
            GTK.afterEvents { MainContextTests.note(pointer, "afterwards") }
        }
        #expect(what == "afterwards")
    }

    /// Another thread adds a source while the reactor waits.
    @Test func sourcesOfOtherThreadsRun() async throws {
        let what = try await withContext { data in
            nonisolated(unsafe) let pointer = data  // Only handed on.
            EventLoop.main.after(30) {
                Task { @LoopActor in
                    await EventLoop.main.onOwnThread {
                        _ = g_idle_add(
                            { data in
                                MainContextTests.note(data, "thread")
                                return 0
                            }, pointer)
                    }
                }
            }
        }
        #expect(what == "thread")
    }

    /// A context that has nothing to do causes no turns: between two timers of ours there is no other one.
    @Test func nothingWakesAnIdleContext() async throws {
        let context = MainContext()
        defer { context.close() }
        await EventLoop.main.pause(50)
        let before = context.turns
        await EventLoop.main.pause(500)
        #expect(context.turns - before <= 3, "\(context.turns - before) turns in half a second")
    }
}
