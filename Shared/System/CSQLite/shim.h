#include <sqlite3.h>

/* sqlite3_db_config takes variable arguments, which Swift cannot pass. For the options that are on or off. */
static inline int screentime_sqlite3_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

/* The same of sqlite3_config: no connection gets memory for 20 pages at its start. Before the first connection. */
static inline int screentime_sqlite3_cache_pages_one_by_one(void) {
    return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/* The same of sqlite3_test_control: begins SQLite's random numbers again, for this process; 0 seeds them by the machine. */
static inline void screentime_sqlite3_seed(unsigned int seed) {
    sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, (int)seed, (sqlite3 *)0);
}
