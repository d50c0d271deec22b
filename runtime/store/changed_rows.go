package store

// mostNoted bounds the ids that are noted of one transaction, and mostCommits the transactions that are remembered of one table.
const (
	mostNoted   = 500
	mostCommits = 64
)

// changedRows are the rows of a table that one transaction changed.
type changedRows struct {
	ids []string
	any bool // it may be any row
}

func (r *changedRows) note(id string) {
	if r.any || id == "" || len(r.ids) == mostNoted {
		r.ids, r.any = nil, true
		return
	}
	r.ids = append(r.ids, id)
}

// noted are the last changes of a table whose rows are noted.
type noted struct {
	from    uint64 // of every change after this one the ids are known
	commits []notedCommit
}

type notedCommit struct {
	version uint64
	ids     []string
}

func (n *noted) add(version uint64, rows *changedRows) {
	if rows == nil || rows.any {
		n.from, n.commits = version, nil
		return
	}
	if len(n.commits) == mostCommits {
		n.from = n.commits[0].version
		n.commits = append(n.commits[:0], n.commits[1:]...)
	}
	n.commits = append(n.commits, notedCommit{version, rows.ids})
}

// NoteRows begins to note which rows of some tables this process changes, for Changed.
func (db *DB) NoteRows(tables ...string) {
	c := &db.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noted == nil {
		c.noted = map[string]*noted{}
	}
	for _, t := range tables {
		if c.noted[t] == nil {
			c.noted[t] = &noted{from: c.seq}
		}
	}
}

// Changed are the ids of the rows of a table of NoteRows that were made, changed or deleted after a version that Versions told; one may be
// among them more than once. ok is false when it may be any rows: another process changed some, or they were too many, or it was long ago.
func (db *DB) Changed(table string, since uint64) (ids []string, ok bool) {
	c := &db.changes
	c.mu.RLock()
	defer c.mu.RUnlock()
	n := c.noted[table]
	if n == nil || since < n.from {
		return nil, false
	}
	for _, one := range n.commits {
		if one.version > since {
			ids = append(ids, one.ids...)
		}
	}
	return ids, true
}
