package action

import (
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/registry"
)

// Word is a name that documents give to something people do with records: lists and forms offer it as a button, access documents grant it.
// All words stand in one registry (pack.Set.Words), which the checks of documents, rights, lists and the documentation read. A pack adds a word for a
// button of its own that no Action carries out (its interface does), or a word that roles grant and only its code asks for.
type Word struct {
	Code  string     // as documents write it: batch_update
	Label plan.Label // of a pack's word, where rights are given; the interface has the texts of the built-in ones
	List  bool       // lists offer it
	Form  bool       // forms offer it
	Grant bool       // grants of access documents name it
	// PerRecord: rows of a list say whether the person may do it with them.
	PerRecord bool
	// RowsOnly: a grant gives it on all its rows; editRows says nothing about it.
	RowsOnly bool
	// Later: it is checked and granted, and not part of this version: no button is drawn.
	Later bool
}

// Name implements registry.Entry.
func (w Word) Name() string { return w.Code }

// Options implements registry.Entry: a word has none.
func (Word) Options() []byte { return nil }

// InLists, InForms and Granted say where a word is used; Words takes them.
func (w Word) InLists() bool { return w.List }

// InForms reports whether forms offer the word.
func (w Word) InForms() bool { return w.Form }

// Granted reports whether access documents grant the word.
func (w Word) Granted() bool { return w.Grant }

// Words are the codes of a registry's words that fit, in the order of their registration.
func Words(r *registry.Registry[Word], fits func(Word) bool) []string {
	var out []string
	for _, code := range r.Names() {
		if w, _ := r.Get(code); fits(w) {
			out = append(out, code)
		}
	}
	return out
}
