package import JSON
package import Units

/// Domains of one category.
@Record
package struct CatalogGroup: Record {
    /// For example social or games.
    @Field(.subject(.category)) package var category: String = ""
    /// Lower case, without a dot at the end. Each covers all its subdomains.
    @Field(.subject(.domain)) package var domains: [String] = []
}

/// Imports one part of a list of domains. The list takes effect with its last part.
///
/// It replaces the list of the same name; until then nothing changes.
@Method("catalog.import", of: .activity, .write, for: .person)
package enum CatalogImport: Method {
    /// One part of a list; `attempt` and `part` put the parts together.
    @Record("catalog.import.params")
    package struct Params: Record {
        /// Name of the list.
        package var list: String = ""
        /// Any text that is the same for all parts of one import.
        package var attempt: String = ""
        /// 0, 1, 2, …; send each after the answer to the previous one.
        package var part: Int64 = 0
        /// True for the last part: the list takes effect.
        package var last: Bool = false
        /// Up to 10000 domains in this part.
        package var groups: [CatalogGroup] = []
    }

    /// What has arrived of the list so far.
    @Record("catalog.import.result")
    package struct Result: Record {
        /// Distinct domains received so far.
        package var domains: Int64 = 0
        /// Head of the log after this write.
        package var sequence: Int64 = 0
    }
}

/// An imported list of domains that is in effect.
@Record
package struct CatalogListInfo: Record {
    /// Name of the list.
    @Field(.personal) package var name: String = ""
    /// Number of domains in it.
    package var domains: Int64 = 0
    /// When it took effect, UTC milliseconds.
    package var imported: Instant = 0
}

/// The imported lists, newest first.
///
/// Where two lists contain the same domain, the first one decides.
@Method("catalog.lists", of: .activity, .read, for: .authorizedClient)
package enum CatalogLists: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// The lists.
    @Record("catalog.lists.result")
    package struct Result: Record {
        /// The lists in effect, newest first.
        package var lists: [CatalogListInfo] = []
    }
}

/// The domains of one list, sorted, page by page.
@Method("catalog.read", of: .activity, .read, for: .person)
package enum CatalogRead: Method {
    /// Which list, and where to continue.
    @Record("catalog.read.params")
    package struct Params: Record {
        /// Name of the list.
        package var list: String = ""
        /// `next` of the previous page.
        package var after: String?
    }

    /// One page of the list.
    @Record("catalog.read.result")
    package struct Result: Record {
        /// Domains in order; neighbours of the same category are one group.
        package var groups: [CatalogGroup] = []
        /// Set when there is more: pass it as `after` in the next request.
        package var next: String?
    }
}

/// Removes an imported list of domains.
@Method("catalog.remove", of: .activity, .write, for: .person)
package enum CatalogRemove: Method {
    /// The list to remove.
    @Record("catalog.remove.params")
    package struct Params: Record {
        /// Name of the list.
        package var list: String = ""
    }

    /// Only the head of the log after this write.
    package typealias Result = Written
}
