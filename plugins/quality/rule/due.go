package rule

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// Due is what is due of a node before it is qualified: a revision of a set for a kind of work, with the differences that hold at the node. It
// holds what applies to the node alone (Scope).
type Due struct {
	Items    []DueItem
	Kinds    []DueKind
	Sheets   []DueSheet
	Consents []DueConsent
}

// DueItem is a check item that has to be judged.
type DueItem struct {
	ID, Name, Class string
	Kind            string // of the records that answer it: SELF, SUP, TEST
}

// DueKind is a kind of record that has to be there.
type DueKind struct {
	Kind      string           // SELF, SUP, TEST
	Share     *decimal.Decimal // of the lots below a work item; nil = of each node
	Items     string           // which items it judges: EveryItem, MainItems, AnyItem
	Workflow  string           // that ended with its approval; "" = it needs none
	Witnessed bool             // a test of the contractor's own laboratory counts
}

// Which items a record of a kind has to judge.
var (
	EveryItem = codes.OptionAll
	MainItems = codes.OptionMain
	AnyItem   = codes.OptionAny
)

// Kinds of records.
var (
	Self = codes.OptionSelf
	Sup  = codes.OptionSup
	Test = codes.OptionTest
)

// Parties of a record, by the department of its author against the contract. "" = the contract names none.
var (
	Contractor = codes.OptionContractor
	Supervisor = codes.OptionSupervisor
	Other      = codes.OptionOther
)

// DueSheet is a business sheet that has to be completed with an answer that means yes.
type DueSheet struct {
	Model, Kind, Workflow string // Kind and Workflow "" = any
	Title                 string
	Top                   bool   // due of the node that holds the set, not of the lots below it
	After                 string // code of the process that has to end before it, at nodes that have one; "" = none
}

// DueConsent is a hold point: somebody with one of the roles releases what comes after it.
type DueConsent struct {
	Key, Title string
	Roles      []string
	Process    string // code of the process that waits; "" = none
	Top        bool
}

// Given is what a node has of what is due.
type Given struct {
	Records  []GivenRecord // in the order of time
	Sheets   []GivenSheet
	Consents []string         // keys
	Lots     int64            // below the node; of a node without lots it is 1
	ByKind   map[string]int64 // lots that have a record of the kind that counts
	Late     []Late
}

// GivenRecord is an inspection.
type GivenRecord struct {
	Kind, Party, Author, Workflow string // Workflow that ended with its approval
	Inspector                     string // named on it; "" = its author
	Round                         int64
	Counts                        bool     // completed, of a round that counts
	Judged, Failed, Void          []string // ids of items; void = the author alone says that they do not apply
	Claimed                       []string // ids of items that were judged by a design value which the contractor alone gives
}

// GivenSheet is a binding of a business sheet.
type GivenSheet struct {
	Model, Kind, Workflow string
	Done                  bool // completed, and its answer means yes
}

// Late is a process that was worked on, or a due sheet that was made, before the process before it had ended, by the dates of their sheets.
type Late struct {
	ID, Title, Before string // ID of the process, or model of the sheet
	Sheet             bool
}

// What is missing.
const (
	LacksSet     = "SET"     // nothing is set as due
	LacksItem    = "ITEM"    // an item was not judged
	LacksKind    = "KIND"    // no record of a kind counts
	LacksShare   = "SHARE"   // too few lots have one
	LacksSheet   = "SHEET"   // a sheet is not complete, or its answer is no
	LacksConsent = "CONSENT" // a hold point is not released
	BreaksOrder  = "ORDER"   // the order of work is broken, and nobody accepted it
)

// Missing is one thing that is due and not given.
type Missing struct {
	What     string   `json:"what"`
	Key      string   `json:"key,omitempty"`  // id of an item or process, kind of record, model of a sheet, key of a hold point
	Name     string   `json:"name,omitempty"` // as its author called it
	Class    string   `json:"itemClass,omitempty"`
	Kind     string   `json:"kind,omitempty"`     // kind of record, or of sheet
	Workflow string   `json:"workflow,omitempty"` // that has to end
	Roles    []string `json:"roles,omitempty"`
	Claimed  bool     `json:"claimed,omitempty"` // the item was judged, by a design value that the contractor alone gives
	Sheet    bool     `json:"sheet,omitempty"`   // the order of work is broken by a sheet, and not by a process
	Have     int64    `json:"have"`
	Need     int64    `json:"need"`
}

// Scope is what applies to a node: leaf has no children, lower takes its set from the node above it.
func (d Due) Scope(leaf, lower bool) (out Due) {
	if leaf {
		out.Items = d.Items
	}
	applies := func(top bool) bool { return top && !lower || !top && leaf }
	for _, k := range d.Kinds {
		if applies(k.Share != nil) {
			out.Kinds = append(out.Kinds, k)
		}
	}
	for _, s := range d.Sheets {
		if applies(s.Top) {
			out.Sheets = append(out.Sheets, s)
		}
	}
	for _, c := range d.Consents {
		if applies(c.Top) {
			out.Consents = append(out.Consents, c)
		}
	}
	return out
}

// Judges reports whether an inspection is due. Of a node that is inspected itself a set has to say which one: nothing due is nothing fulfilled.
func (d Due) Judges() bool {
	return len(d.Items)+len(d.Kinds) > 0
}

// Missing compares what is given with what is due. It is a pure function.
func (d Due) Missing(g Given) (out []Missing) {
	kinds := slices.Clone(d.Kinds)
	for _, it := range d.Items { // an item asks for a record of its kind
		if !slices.ContainsFunc(kinds, func(k DueKind) bool { return k.Kind == it.Kind && k.Share == nil }) {
			kinds = append(kinds, DueKind{Kind: it.Kind, Items: EveryItem})
		}
	}
	for _, k := range kinds {
		if k.Share != nil {
			need := k.Share.Mul(decimal.NewFromInt(g.Lots)).Ceil().IntPart()
			if have := g.ByKind[k.Kind]; have < need {
				out = append(out, Missing{What: LacksShare, Key: k.Kind, Kind: k.Kind, Workflow: k.Workflow, Have: have, Need: need})
			}
			continue
		}
		out = append(out, d.Lacks(k, g)...)
	}
	for _, s := range d.Sheets {
		if !slices.ContainsFunc(g.Sheets, s.FulfilledBy) {
			out = append(out, Missing{What: LacksSheet, Key: s.Model, Name: s.Title, Kind: s.Kind, Workflow: s.Workflow, Need: 1})
		}
	}
	for _, c := range d.Consents {
		if !slices.Contains(g.Consents, c.Key) {
			out = append(out, Missing{What: LacksConsent, Key: c.Key, Name: c.Title, Roles: c.Roles, Need: 1})
		}
	}
	for _, l := range g.Late {
		out = append(out, Missing{What: BreaksOrder, Key: l.ID, Name: l.Title + " ← " + l.Before, Need: 1, Sheet: l.Sheet})
	}
	return out
}

// Of reports whether a binding is for the sheet that is due, whatever has become of it.
func (s DueSheet) Of(model, kind string) bool {
	return model == s.Model && (s.Kind == "" || kind == s.Kind)
}

// FulfilledBy reports whether a binding is the sheet that is due, done and approved.
func (s DueSheet) FulfilledBy(g GivenSheet) bool {
	return g.Done && s.Of(g.Model, g.Kind) && (s.Workflow == "" || g.Workflow == s.Workflow)
}

// agreed reports whether the judgement of an item counts: who approves the record agrees with the design values that it was judged by.
func (r GivenRecord) agreed(id string) bool {
	return r.Workflow != "" || !slices.Contains(r.Claimed, id)
}

// Lacks is what a node lacks of one kind of record.
func (d Due) Lacks(k DueKind, g Given) (out []Missing) {
	counting := k.Counting(g.Records)
	if len(counting) == 0 {
		return []Missing{{What: LacksKind, Key: k.Kind, Kind: k.Kind, Workflow: k.Workflow, Need: 1}}
	}
	if k.Items == AnyItem {
		return nil
	}
	judged, claimed := map[string]bool{}, map[string]bool{}
	for _, r := range counting {
		for _, id := range r.Judged {
			judged[id] = r.agreed(id) || judged[id]
			claimed[id] = true
		}
		for _, id := range r.Void {
			judged[id] = r.Workflow != "" || judged[id] // who approves the record agrees that it does not apply
		}
	}
	for _, it := range d.Items {
		of := it.Kind == k.Kind || k.Kind == Sup && it.Kind == Self
		if of && !judged[it.ID] && (k.Items != MainItems || it.Class == Main) {
			out = append(out, Missing{What: LacksItem, Key: it.ID, Name: it.Name, Class: it.Class, Kind: k.Kind, Need: 1, Claimed: claimed[it.ID]})
		}
	}
	return out
}

// Counting are the records that count as of the kind: completed, approved where that is due, of the party whose inspection it is, and none of
// somebody who made one of another kind of the node before, as its author or as the inspector that it names.
func (k DueKind) Counting(all []GivenRecord) (out []GivenRecord) {
	first := map[string]string{} // kind by author
	for _, r := range all {
		if !r.Counts {
			continue
		}
		sole := true
		for _, who := range []string{r.Author, r.Inspector} {
			if who != "" { // what a file brought has none
				first[who] = cmp.Or(first[who], r.Kind)
				sole = sole && first[who] == r.Kind
			}
		}
		if r.Kind == k.Kind && sole && (len(r.Void) > 0 || slices.ContainsFunc(r.Judged, r.agreed)) && (k.Workflow == "" || r.Workflow == k.Workflow) && k.by(r.Party) {
			out = append(out, r)
		}
	}
	return out
}

// by reports whether a record of the kind can come from a party.
func (k DueKind) by(party string) bool {
	switch {
	case party == "": // the contract names no parties
		return true
	case k.Kind == Self:
		return party == Contractor
	case k.Kind == Test && k.Witnessed:
		return true
	}
	return party != Contractor
}
