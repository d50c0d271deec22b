package query

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// keptPlans bounds the compiled list requests that are remembered.
const keptPlans = 1000

// planCache remembers compiled list requests without their page: people page, sort and come back to the same filters far
// more often than they make new ones. An entry belongs to one catalog, to what the principal's rights depend on, and to
// one day (rules and relative dates speak of today).
type planCache struct {
	mu    sync.Mutex
	c     *catalog.Catalog // that all entries are of
	known *simplelru.LRU[planKey, *listPlan]
}

type planKey [sha256.Size]byte

func newPlanCache() *planCache {
	known, err := simplelru.NewLRU[planKey, *listPlan](keptPlans, nil)
	if err != nil {
		panic(err) // the size is positive
	}
	return &planCache{known: known}
}

func (pc *planCache) find(c *catalog.Catalog, key planKey) *listPlan {
	pc.mu.Lock()
	defer pc.mu.Unlock()
	if pc.c != c {
		return nil
	}
	p, _ := pc.known.Get(key)
	return p
}

func (pc *planCache) keep(c *catalog.Catalog, key planKey, p *listPlan) {
	pc.mu.Lock()
	defer pc.mu.Unlock()
	if pc.c != c { // definitions changed: nobody asks for the old ones again
		pc.c = c
		pc.known.Purge()
	}
	if !pc.known.Contains(key) {
		pc.known.Add(key, p)
	}
}

// digester writes parts with their lengths, so that no two requests look alike.
type digester struct{ b []byte }

func (d *digester) text(s string) {
	d.b = append(binary.AppendUvarint(d.b, uint64(len(s))), s...)
}

func (d *digester) texts(of []string) {
	d.number(len(of))
	for _, s := range of {
		d.text(s)
	}
}

func (d *digester) number(n int) { d.b = binary.AppendVarint(d.b, int64(n)) }

func (d *digester) optional(s *string) {
	if s == nil {
		d.number(0)
		return
	}
	d.number(1)
	d.text(*s)
}

func (d *digester) filters(of []Filter) {
	d.number(len(of))
	for _, f := range of {
		d.text(f.PropertyCode)
		d.text(string(f.PropertyValue))
		d.text(string(f.QueryFilterType))
		d.filters(f.And)
		d.filters(f.Or)
		d.text(f.Behind)
	}
}

// request writes what of a list request a cursor is bound to: all but its page.
func (d *digester) request(listCode, userID string, req ListRequest) {
	d.text(listCode)
	d.text(userID)
	d.filters(req.Filters)
	d.texts(req.OrderByFields)
	d.number(req.OrderType)
	d.optional(req.ParentID)
	if req.Ancestors {
		d.text("ancestors")
	}
	d.text(req.Keyword)
	d.texts(req.ObjectIDs)
	if req.Options == nil {
		d.number(0)
	} else {
		d.number(1)
		d.number(req.Options.QueryDisplayType)
		d.texts(req.Options.CustomDisplayColumns)
	}
	if req.action != "" {
		d.text("action")
		d.text(req.action)
	}
	if req.paper != nil {
		d.text("paper")
		d.text(req.paper.Template)
	}
	if req.widget != nil {
		d.text("widget")
		d.text(req.widget.Key)
	}
}

// keys are what a cursor of the request is bound to, and what its compiled plan is remembered under.
func (r *Reader) keys(l *catalog.List, view *authz.View, req ListRequest) (shape []byte, key planKey) {
	who := view.Principal()
	d := &digester{b: make([]byte, 0, 512)}
	d.request(l.Code, who.UserID, req)
	sum := sha256.Sum256(d.b)
	d.text(who.System)
	d.text(who.Reason)
	d.text(who.Name)
	d.text(who.Locale)
	d.text(who.MainDepartment)
	d.texts(who.Roles)
	d.texts(who.Departments)
	d.texts(who.DepartmentTree)
	d.number(len(who.Apps))
	for _, a := range who.Apps {
		d.text(fmt.Sprintf("%+v", a))
	}
	today, _ := view.Vars()["today"].(string) // of rules and formulas; relative dates are of the clock, which may be past midnight by now
	d.text(today)
	d.text(r.clock().In(r.zone).Format(time.DateOnly))
	d.number(int(r.people.Version())) // filters on departments mean those below them too
	return sum[:], sha256.Sum256(d.b)
}
