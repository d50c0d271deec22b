package compile

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
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
	rows map[string]keptRows

	compiling sync.Mutex // of again
	last      *compilation
}

// keptRows is what was found in the rows of a file, given all documents.
type keptRows struct {
	with [sha256.Size]byte
	list diag.List
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
	mu       sync.Mutex
	document def.Document // of decoded
	compiled bool         // a compilation of everything has had it
}

// decoded reads a document of its file, once (see unused). One that has files beside it is read each time, because it is to hold their
// texts.
func (p *parsed) decoded(k kind.Kind, h def.Head) def.Document {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.document != nil && p.document.Header().Code == h.Code && p.document.Header().Pack == h.Pack {
		return p.document
	}
	d := k.Decodes(h)
	source.Decode(h.Node, d)
	if !slices.ContainsFunc(filesOf(k, d), func(f kind.File) bool { return f.Name != "" }) {
		p.document = d
	}
	return d
}

// unused gives a document for a compilation of everything, which changes documents, rows and roles excepted: decoded again where another one has
// had it.
func (c *Cache) unused(k kind.Kind, d def.Document) def.Document {
	h := d.Header()
	c.mu.Lock()
	p := c.kept[h.Node.File()]
	c.mu.Unlock()
	if p == nil || k.Data || k.Code == def.KindAccess {
		return d
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.document != d {
		return d
	}
	if !p.compiled {
		p.compiled = true
		return d
	}
	d = k.Decodes(def.Head{Code: h.Code, Pack: h.Pack, Node: h.Node})
	source.Decode(h.Node, d)
	return d
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

// checkedRows is what check finds in the rows of a file; with names all that it depends on. Where check is not sure that it would find
// the same once more, nothing is kept.
func (c *Cache) checkedRows(d *def.Data, with [sha256.Size]byte, check func() (list diag.List, sure bool)) diag.List {
	if c == nil {
		list, _ := check()
		return list
	}
	name := d.Node.File()
	c.mu.Lock()
	k := c.rows[name]
	c.mu.Unlock()
	if k.with == with {
		return k.list
	}
	list, sure := check()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil {
		c.rows = map[string]keptRows{}
	}
	delete(c.rows, name)
	if sure {
		c.rows[name] = keptRows{with: with, list: list}
	}
	return list
}

// rowsDependOn names all that the check of rows reads: every document but the roles, and the codes of these, which rows may name.
func (c *compiler) rowsDependOn() [sha256.Size]byte {
	sum := sha256.New()
	fmt.Fprintln(sum, c.sound, c.options.Zone)
	var codes []string
	for _, r := range c.cat.Roles {
		codes = append(codes, r.Code)
	}
	slices.Sort(codes)
	fmt.Fprintln(sum, codes)
	for _, l := range c.content(c.packs) {
		if l.kind != def.KindAccess {
			fmt.Fprintln(sum, l.text)
		}
	}
	return [sha256.Size]byte(sum.Sum(nil))
}
