package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
)

// packTypes are the types of messages that code of packs sends.
var packTypes = []world.MessageType{0, world.DataModified, world.WorkHandover, world.RolesWaiting, world.PeopleGone}

func (t *transaction) Tell(_ context.Context, m world.Message) error {
	if t.batch == nil {
		return errReadOnly
	}
	if !slices.Contains(packTypes, m.Type) {
		return fmt.Errorf("code of packs sends no messages of type %d", m.Type)
	}
	kind := notify.Type(m.Type)
	if m.Type == 0 {
		if kind = notify.Custom; m.Title.Zh == "" || m.Title.I18n["en"] == "" {
			return errors.New("a message needs a title in both languages")
		}
	}
	biz := notify.Biz{Roles: m.Facts.Roles, Departments: m.Facts.Departments, Records: m.Facts.Records, Tasks: m.Facts.Tasks, Things: m.Facts.Things, Relation: m.Facts.Property}
	for _, one := range m.Facts.People {
		biz.UserIDs, biz.UserNameList = append(biz.UserIDs, one.ID), append(biz.UserNameList, one.Name)
	}
	to := slices.Clone(m.To)
	slices.Sort(to)
	var out []notify.Message
	for _, user := range slices.Compact(to) {
		out = append(out, notify.Message{To: user, Type: kind, Sender: t.view.User(), Title: m.Title, Text: m.Text,
			Record: query.Ref{SchemaCode: m.Model, ID: m.Record}, Biz: biz, Once: m.Once, Gather: m.Gather})
	}
	return t.app.messages.Send(t.tx, out...)
}
