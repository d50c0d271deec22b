package app

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/schemas"
)

func (t *transaction) Try(_ context.Context, f func(w world.World) error) error {
	if t.batch == nil {
		return errReadOnly
	}
	return t.batch.Try(func(b *record.Batch) error {
		out := *t
		out.batch = b
		return f(&out)
	})
}

// refusalTexts are the texts of schemas/errors.json.
var refusalTexts = sync.OnceValue(func() map[fault.Code]diag.Text {
	out := map[fault.Code]diag.Text{}
	var rows []struct {
		Code   fault.Code
		Zh, En string
	}
	data, err := schemas.FS.ReadFile("errors.json")
	if err == nil {
		err = json.Unmarshal(data, &rows)
	}
	if err != nil {
		panic(err) // it is embedded
	}
	for _, r := range rows {
		out[r.Code] = diag.Text{Zh: r.Zh, En: r.En}
	}
	return out
})

func (t *transaction) Refusals(err error) (out []world.Refusal) {
	var f *fault.Error
	if !errors.As(err, &f) {
		return nil
	}
	if in, ok := f.Data.(fault.Invalid); ok {
		for _, e := range in.Errors {
			out = append(out, world.Refusal{Property: e.PropertyCode, Code: e.Code, Text: t.sentence(e.Code, e.Args, e.MessageZh, e.MessageEn)})
		}
	}
	if len(out) == 0 {
		out = []world.Refusal{{Code: f.Code, Text: t.sentence(f.Code, f.Args, f.MessageZh, f.MessageEn)}}
	}
	return out
}

// sentence is the text of a code of the product or of a pack, or the words that came with it.
func (t *transaction) sentence(code fault.Code, args []any, zh, en string) string {
	of, known := refusalTexts()[code]
	if !known {
		if d, ok := t.app.cfg.Set.Errors.Get(fault.Definition{Code: code}.Name()); ok {
			of = diag.Text{Zh: d.Zh, En: d.En}
		}
	}
	locale := t.view.Principal().Locale
	own, text := zh, of.Zh
	if locale == "en" {
		text = of.En
		if en != "" {
			own = en
		}
	}
	if own != "" {
		return own
	}
	return diag.Fill(text, args, locale)
}
