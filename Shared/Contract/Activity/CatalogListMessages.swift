package import JSON
package import Units

/// Domains of one category.
@Record
package struct CatalogGroup: Record {
    /// social, games, ….
    @Field(.subject(.category)) package var category: String = ""
    /// Lower case, no dot at the end; each stands for all below it.
    @Field(.subject(.domain)) package var domains: [String] = []
}

/// Takes in a part of a list of domains; it is in force when its last part is there.
///
/// It takes the place of the one of its name; until then nothing changes.
@Method("catalog.import", of: .activity, .write, for: .person)
package enum CatalogImport: Method {
    @Record("catalog.import.params")
    package struct Params: Record {
        /// Name of the list.
        package var list: String = ""
        /// Any text that is the same for all parts of one import.
        package var attempt: String = ""
        /// 0, 1, 2 …; each after the answer to the one before.
        package var part: Int64 = 0
        /// True: all parts are there; the list comes into force.
        package var last: Bool = false
        /// Up to 10000 domains in all.
        package var groups: [CatalogGroup] = []
    }

    @Record("catalog.import.result")
    package struct Result: Record {
        /// Different domains taken in so far.
        package var domains: Int64 = 0
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// A list of domains that is in force.
@Record
package struct CatalogListInfo: Record {
    /// Name of the list.
    @Field(.personal) package var name: String = ""
    /// How many domains it has.
    package var domains: Int64 = 0
    /// When it came into force, UTC milliseconds.
    package var imported: Instant = 0
}

/// The imported lists, the one that was imported last first.
///
/// The first decides where two lists name the same domain.
@Method("catalog.lists", of: .activity, .read, for: .authorizedClient)
package enum CatalogLists: Method {
    package typealias Params = Nothing

    @Record("catalog.lists.result")
    package struct Result: Record {
        /// In force now.
        package var lists: [CatalogListInfo] = []
    }
}

/// The domains of one list, sorted, page by page.
@Method("catalog.read", of: .activity, .read, for: .person)
package enum CatalogRead: Method {
    @Record("catalog.read.params")
    package struct Params: Record {
        /// Name of the list.
        package var list: String = ""
        /// next of the page before.
        package var after: String?
    }

    @Record("catalog.read.result")
    package struct Result: Record {
        /// Neighbours of one category together; in order.
        package var groups: [CatalogGroup] = []
        /// There is more: ask again with this as after.
        package var next: String?
    }
}

/// Takes a list of domains out of force.
@Method("catalog.remove", of: .activity, .write, for: .person)
package enum CatalogRemove: Method {
    @Record("catalog.remove.params")
    package struct Params: Record {
        /// Name of the list.
        package var list: String = ""
    }

    package typealias Result = Written
}
