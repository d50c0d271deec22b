package compile

import (
	"path"
	"sync"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
)

// Cache keeps what was read of documents: of a changeset most are as they were, and reading and checking them is half of the time until it is in
// force. It belongs to one program and its schemas. Nil keeps nothing.
type Cache struct {
	mu   sync.Mutex
	kept map[string]*parsed // by the name of the file
}

// parsed is what a file says. Stages after this one change nothing of it.
type parsed struct {
	kind     def.Kind
	data     string
	schemas  *schema.Schemas
	root     *source.Node
	problems diag.List
	once     sync.Once
	list     diag.List // what the schema says
}

func (c *Cache) parsed(k kind.Kind, name string, data []byte, s *schema.Schemas) *parsed {
	if s == nil {
		c = nil // it passes as checked elsewhere
	}
	if c != nil {
		c.mu.Lock()
		p := c.kept[name]
		c.mu.Unlock()
		if p != nil && p.kind == k.Code && p.schemas == s && p.data == string(data) {
			return p
		}
	}
	read := source.Parse
	if path.Ext(name) == ".csv" {
		read = source.ParseCSV
	}
	p := &parsed{kind: k.Code, data: string(data), schemas: s}
	p.root, p.problems = read(name, data)
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.kept == nil {
			c.kept = map[string]*parsed{}
		}
		c.kept[name] = p
	}
	return p
}

func (p *parsed) validated(k kind.Kind, s *schema.Schemas) diag.List {
	p.once.Do(func() { p.list = s.Validate(k.Code, shapes(k, p.root)) })
	return p.list
}
