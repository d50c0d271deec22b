package storetest

import (
	"net/url"
	"os"
	"strconv"
)

// pool is the environment variable that says how many connections the databases of all tests have to PostgreSQL: with the fewest that the
// store takes (store.LeastConns), who holds one and waits for another does not end.
const pool = "SLUICE_TEST_POOL"

const maxConns = "pool_max_conns"

// Pool is the address of a database with a pool of n connections; of SQLite, which has no address, it is "".
func Pool(address string, n int) string {
	return with(address, func(q url.Values) { q.Set(maxConns, strconv.Itoa(n)) })
}

// One is an address for a connection outside a pool, which knows no settings of pools.
func One(address string) string {
	return with(address, func(q url.Values) { q.Del(maxConns) })
}

// pooled is an address with the pool that the run asks for.
func pooled(address string) string {
	n, err := strconv.Atoi(os.Getenv(pool))
	if err != nil {
		return address
	}
	return Pool(address, n)
}

func with(address string, set func(url.Values)) string {
	u, err := url.Parse(address)
	if address == "" || err != nil {
		return address
	}
	q := u.Query()
	set(q)
	u.RawQuery = q.Encode()
	return u.String()
}
