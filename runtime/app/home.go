package app

import (
	"context"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/home"
	"github.com/sluice-platform/sluice/runtime/notify"
)

// Home keeps what each person opened and marked.
func (a *App) Home() *home.Service { return a.home }

// Start is what the start page shows besides the applications (api.yaml Home).
type Start struct {
	*home.Places
	Drafts   *draft.Page   `json:"drafts"`
	Unread   notify.Counts `json:"unread"`
	Messages []notify.Item `json:"messages"` // the newest unread ones
	Steps    []Step        `json:"steps"`    // empty for those who cannot take any, and where all are done
}

// Step is something that a new installation needs. Code is people, departments, look or rights.
type Step struct {
	Code string `json:"code"`
	Done bool   `json:"done"`
}

// startLines is how many drafts and messages a start page shows.
const startLines = 3

// StartOf gathers the start page of a person.
func (a *App) StartOf(ctx context.Context, view *authz.View) (*Start, error) {
	out := &Start{}
	var err error
	if out.Places, err = a.home.Places(ctx, view); err != nil {
		return nil, err
	}
	if out.Drafts, err = a.drafts.List(ctx, view, "", 0, startLines); err != nil {
		return nil, err
	}
	unread, err := a.messages.Search(ctx, view, notify.Search{ReadState: "UNREADED", Size: startLines})
	if err != nil {
		return nil, err
	}
	out.Messages = unread.Content
	if out.Unread, err = a.messages.Unread(ctx, view); err != nil {
		return nil, err
	}
	out.Steps = a.steps(ctx, view, out.Dismissed)
	return out, nil
}

// steps are those that the person has the rights for, while one of them is not done and the person did not dismiss them.
func (a *App) steps(ctx context.Context, view *authz.View, dismissed bool) []Step {
	none := []Step{}
	if dismissed {
		return none
	}
	all, open := []Step{}, false
	add := func(may bool, code string, done func() bool) {
		if may {
			s := Step{code, done()}
			all, open = append(all, s), open || !s.Done
		}
	}
	model := view.Catalog.Model
	people := a.people.People(ctx)
	add(view.Offers(model(directory.User), "add"), "people", func() bool { return len(people) > 1 })
	add(view.Offers(model(directory.Department), "add"), "departments", func() bool {
		_, total := a.people.Search(ctx, directory.Wanted{Kind: directory.Department, Limit: 1})
		return total > 0
	})
	add(Brands(view), "look", func() bool { return a.Branding().Name != "" || a.Branding().HasLogo() })
	add(view.Can(model(directory.Role), "edit"), "rights", func() bool {
		granted := 0
		for _, p := range people {
			if len(p.Roles) > 0 {
				granted++
			}
		}
		return granted > 1
	})
	if !open {
		return none
	}
	return all
}
