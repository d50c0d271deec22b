// Package rights holds the words that roles grant and no list offers as a button.
package rights

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the words to a set: view, without which nothing of a model is there, external_link, to make external links to the model's
// forms that their documents open, and to a record where its form offers the word, amend, to change for a reason what a workflow has approved, and share_filter, to give one's saved filters of the model's lists
// to everybody who sees the list.
func Register(s *pack.Set) error {
	if err := s.Words.Add(action.Word{Code: "view", Grant: true, RowsOnly: true}); err != nil {
		return err
	}
	if err := s.Words.Add(action.Word{Code: catalog.ExternalLinkAction, Form: true, Grant: true, RowsOnly: true}); err != nil {
		return err
	}
	if err := s.Words.Add(action.Word{Code: catalog.AmendAction, Grant: true}); err != nil {
		return err
	}
	return s.Words.Add(action.Word{Code: "share_filter", Grant: true})
}
