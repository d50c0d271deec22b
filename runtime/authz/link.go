package authz

import (
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
)

// LinkView is what somebody with an external link to a form may do: add a record of its model through it. They may fill what the form has of
// plain properties and nothing else; what refers to people, records or files does not exist for them. A form that its document does not
// open gives nothing.
func (p *Policy) LinkView(pr principal.Principal, f *catalog.Form, now time.Time, zone *time.Location) *View {
	v := p.View(principal.Principal{Name: pr.Name, Locale: pr.Locale}, now, zone)
	if f == nil || !f.ExternalLink {
		return v
	}
	fields := map[string]catalog.FieldRight{}
	openFields(f.Items, fields)
	set := &roleSet{bits: newBitset(len(p.objects) * len(p.actions)), models: map[*catalog.Model]*modelGrants{}}
	for _, action := range []string{"view", "add"} { // the new record has to be one that its writer sees
		set.bits.set(p.decision(kindModel+strings.ToLower(f.Model.Code), action))
	}
	set.grants = []grant{newGrant(&catalog.Grant{Model: f.Model, Actions: []string{"view", "add"}, Rows: plan.True, EditRows: plan.True, Fields: fields, Rest: catalog.Hidden}, "", "")}
	v.set = set
	v.roles = p.View(principal.Principal{Name: pr.Name, Locale: pr.Locale}, now, zone) // as through a lens: no plan made with it is kept
	return v
}

// openFields collects the plain properties of a form.
func openFields(items []catalog.FormItem, into map[string]catalog.FieldRight) {
	for _, it := range items {
		if f := it.Field; f != nil && plain(f) && it.Read == nil && it.Write == nil {
			into[f.Code] = catalog.Writable
		}
		openFields(it.Items, into)
	}
}

func plain(f *catalog.Field) bool {
	_, refers := f.Property.(property.Referrer)
	_, claims := f.Property.(property.Claimer)
	_, files := f.Property.(property.FileTaker)
	return !f.System && f.Target == nil && f.Sheet == nil && f.Compute == nil && !refers && !claims && !files
}
