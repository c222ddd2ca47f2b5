internal import Contract
internal import Loop
internal import Store
import Units

/// What a service does about its damaged store, and about rows that cannot be read (``UnreadableRows``).
extension Service {
    /// A caller that meets damage gets the error; the service handles it, too. Rows that cannot be read are
    /// set aside before the next turn if they are of a ``RecordTable``, else reported until the service is
    /// started again; other damage is reported until a check of the whole store finds nothing. Call it also
    /// where nobody gets the error: where a timer reads.
    package func noteDamage(_ error: any Error) {
        guard let error = error as? StoreError, error.kind == .damaged else { return }
        guard let table = error.table else { return reportDamage(error.message) }
        guard unreadable.tables.contains(where: { $0.name == table }), !stopping else {
            return reportDamage(error.message, Self.recordKey)
        }
        guard notedRow == nil else { return }
        notedRow = error
        loop.inNextTurn { [weak self] in self?.setAsideNoted() }
    }

    /// A check of the store cannot see whether a record makes sense.
    private static let recordKey = "store.record"
    /// A record that should have been set aside and was not.
    private static let notSetAsideKey = "store.record.left"

    /// Decisions based on a damaged store are unreliable, so the service reports that it does not act.
    /// - Parameter finding: nil if the store is intact.
    func reportDamage(_ finding: String?, _ key: String = "store.damaged") {
        setNotActing(
            key,
            finding.map {
                "decisions based on \(database.path) may be wrong, because it is damaged: \($0) ("
                    + DamagedStore.remedy(name, in: configuration.stateDirectory) + ")"
            })
    }

    // MARK: rows that cannot be read

    /// At the start, before anybody reads them.
    static func setAsideUnreadable(_ rows: UnreadableRows, at now: Instant, _ log: Log) throws(StoreError) {
        do {
            let found = try rows.database.write { database in
                let found = try rows.setAside(at: now)
                for source in found.sources { try Follower.discardCopy(of: source, in: database) }
                return found
            }
            try rows.database.commit()
            log.setAside(found)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.misuse, message: "\(error)")
        }
    }

    private func setAsideNoted() {
        guard let noted = notedRow, !stopping else { return }
        notedRow = nil
        do {
            let found = try database.write { _ in try unreadable.setAside(at: clock.now) }
            log.setAside(found)
            // Otherwise it is read elsewhere in another way than the ``RecordTable`` says.
            reportDamage(found.isEmpty ? noted.message : nil, Self.notSetAsideKey)
            for source in found.sources {
                try rebuildCopy(of: source, because: "a record of it could not be read")
            }
            hold { [weak self] failure in
                guard failure == nil, let self else { return }
                if !found.isEmpty { program?.recordsWereSetAside() }
                reportUnreadable()
            }
        } catch {
            // A copy must not lose a record without being asked for again.
            failTurn(ServiceError(anything: error))
            log.error("setting records aside failed", [("error", .name(of: error))])
            reportDamage(noted.message, Self.notSetAsideKey)
        }
    }

    package static let unreadableKey = "store.rows"

    /// Reports what is set aside.
    func reportUnreadable() {
        do {
            let summary = try unreadable.summary()
            setNotActing(
                Self.unreadableKey,
                summary.map {
                    "what these records say does not act, because they could not be read and were set aside: "
                        + "\($0) (restore a backup, or go on without them: "
                        + "`screentime repair \(name.rawValue) --discard-unreadable`)"
                })
        } catch {
            noteDamage(error)
            log.error("reading what was set aside failed", [("error", .name(of: error))])
        }
    }

    /// Deletes what was set aside before `end`.
    /// - Returns: the number of rows.
    @discardableResult
    func letGoOfUnreadable(until end: Instant = .max, _ transaction: Transaction) throws -> Int64 {
        let count = try unreadable.letGo(until: end)
        if count > 0 { try transaction.leaveBytes() }
        transaction.afterCommit { [weak self] in self?.reportUnreadable() }
        return count
    }
}

extension Log {
    fileprivate func setAside(_ found: UnreadableRows.Found) {
        guard !found.isEmpty else { return }
        let tables = found.rows.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }
        error(
            "records that cannot be read were set aside; copies are asked for again",
            [("records", .text(tables.joined(separator: ", ")))])
    }
}
