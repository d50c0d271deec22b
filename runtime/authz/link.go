package authz

import (
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
)

// LinkView is what somebody with an external link to a form may do: add a record of its model through it, or read the one record of the link.
// They have what the form has of plain properties and, to read, of computed ones; what refers to people, records or files does not exist
// for them. A form that its document does not open gives nothing.
func (p *Policy) LinkView(pr principal.Principal, f *catalog.Form, now time.Time, zone *time.Location) *View {
	v := p.View(principal.Principal{Name: pr.Name, Locale: pr.Locale}, now, zone)
	if f == nil || pr.LinkRecord == "" && !f.ExternalLink || pr.LinkRecord != "" && !f.LinksRecords() {
		return v
	}
	g := &catalog.Grant{Model: f.Model, Fields: map[string]catalog.FieldRight{}, Rest: catalog.Hidden}
	if pr.LinkRecord == "" {
		g.Actions = []string{"view", "add"} // the new record has to be one that its writer sees
		g.Rows, g.EditRows = plan.True, plan.True
		openFields(f.Items, catalog.Writable, g.Fields)
	} else {
		g.Actions = []string{"view"}
		g.Rows = &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: catalog.ID, K: plan.ID}, G: &plan.Const{K: plan.Set, Value: []string{pr.LinkRecord}}}
		g.EditRows = plan.False
		openFields(f.Items, catalog.Readable, g.Fields)
	}
	for _, own := range f.Model.Fields { // owner, creator and the like, which every role reads
		if own.System && refersToAny(own) {
			g.Fields[own.Code] = catalog.Hidden
		}
	}
	set := &roleSet{bits: newBitset(len(p.objects) * len(p.actions)), models: map[*catalog.Model]*modelGrants{}}
	for _, action := range g.Actions {
		set.bits.set(p.decision(kindModel+strings.ToLower(f.Model.Code), action))
	}
	set.grants = []grant{newGrant(g, "", "")}
	v.set = set
	v.roles = p.View(principal.Principal{Name: pr.Name, Locale: pr.Locale}, now, zone) // as through a lens: no plan made with it is kept
	return v
}

// openFields collects the plain properties of a form with a right. Computed ones are only read, and who may write an item says nothing then.
func openFields(items []catalog.FormItem, right catalog.FieldRight, into map[string]catalog.FieldRight) {
	for _, it := range items {
		writes := right == catalog.Writable
		if f := it.Field; f != nil && plain(f) && it.Read == nil && (!writes || f.Compute == nil && it.Write == nil) {
			into[f.Code] = right
		}
		openFields(it.Items, right, into)
	}
}

func plain(f *catalog.Field) bool { return !f.System && f.Sheet == nil && !refersToAny(f) }

// refersToAny reports whether a property names people, departments, records or files.
func refersToAny(f *catalog.Field) bool {
	_, refers := f.Property.(property.Referrer)
	_, claims := f.Property.(property.Claimer)
	_, files := f.Property.(property.FileTaker)
	return f.Target != nil || refers || claims || files
}
