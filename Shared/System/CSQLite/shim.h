#include <sqlite3.h>

/* sqlite3_db_config takes variable arguments, which Swift cannot pass. For the options that are on or off. */
static inline int screentime_sqlite3_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}
