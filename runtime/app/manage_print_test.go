package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestDesignPrints tries a template out, publishes it, prints with it and reads the version before, on both databases.
func TestDesignPrints(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		a, err := app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		s := shop{a, t}
		s.stock()
		kept, err := s.Writer().Save(ctx, rightsOf(a, "administrator"), record.Change{Model: "goods", Set: map[string]json.RawMessage{"name": json.RawMessage(`"锤子"`)}})
		require.NoError(t, err)
		const text = `{"schemaCode":"goods","name":"标签","name_i18n":{"en":"Label"},"pages":[{"elements":[{"eleType":"text","left":0,"top":0,"widthValue":60,"text":"名称 {name}"}]}]}`
		tag := design.Name{Kind: "print", App: "shop", Code: "tag"}
		draft := design.Draft{Name: tag, New: true, Text: text}
		drawn := func(in design.Draft) *design.PrintDrawn {
			check, err := a.Designs().Check(ctx, rightsOf(a, "administrator"), design.Proof{Draft: in, Record: kept.ID})
			require.NoError(t, err)
			return check.Drawn.(*design.PrintDrawn)
		}
		texts := func(p *printing.Printout) string {
			require.NotNil(t, p)
			var out []string
			for _, m := range p.Pages[0].Marks {
				if m, is := m.(layout.TextMark); is {
					out = append(out, m.Text)
				}
			}
			return strings.Join(out, " ")
		}
		require.Equal(t, "名称 锤子", texts(drawn(draft).Printout))
		never := draft
		never.Text = strings.Replace(text, `"pages"`, `"condition":"name == 'x'","pages"`, 1)
		require.Nil(t, drawn(never).Printout)
		require.Equal(t, fault.PrintNothing, drawn(never).Refused.Code)

		listed := func() design.DesignedPrint {
			all, err := a.Designs().DesignedPrints(ctx, rightsOf(a, "administrator"), "shop")
			require.NoError(t, err)
			for _, one := range all {
				if one.Code == "tag" {
					return one
				}
			}
			return design.DesignedPrint{}
		}
		require.Empty(t, listed())
		_, err = a.Designs().Lock(ctx, rightsOf(a, "administrator"), tag, false)
		require.NoError(t, err)
		_, err = a.Designs().Keep(ctx, rightsOf(a, "administrator"), draft)
		require.NoError(t, err)
		begun := listed()
		require.Equal(t, []any{"标签", "Label", "goods", false, true}, []any{begun.Label.Zh, begun.Label.In("en"), begun.Model, begun.Published, begun.Mine}, "what has been begun is in the list")
		require.NotNil(t, begun.DraftTime)
		first, err := a.Designs().Publish(ctx, rightsOf(a, "administrator"), draft)
		require.NoError(t, err)
		printed := func() string {
			p, err := a.Prints().Lay(ctx, rightsOf(a, "administrator"), printing.Request{PrintRequest: query.PrintRequest{SchemaCode: "goods", ObjectIDs: []string{kept.ID}}, Template: "tag"})
			require.NoError(t, err)
			return texts(p)
		}
		require.Equal(t, "名称 锤子", printed())
		require.True(t, listed().Published)
		require.Nil(t, listed().DraftTime, "publishing ends the draft")
		next := design.Draft{Name: tag, Seen: first.Seen, Text: strings.Replace(first.Text, "名称", "品名", 1)}
		_, err = a.Designs().Publish(ctx, rightsOf(a, "administrator"), next)
		require.NoError(t, err)
		require.Equal(t, "品名 锤子", printed())
		_, err = a.Designs().Publish(ctx, rightsOf(a, "administrator"), next)
		s.refused(fault.PublishConflict, err)
		past, err := a.Designs().History(ctx, rightsOf(a, "administrator"), tag)
		require.NoError(t, err)
		require.Len(t, past, 2)
		require.Equal(t, first.Version, past[1].Version)
		old, err := a.Designs().Version(ctx, rightsOf(a, "administrator"), tag, first.Version)
		require.NoError(t, err)
		require.Equal(t, first.Text, old)
		_, err = a.Designs().Version(ctx, rightsOf(a, "administrator"), tag, 0)
		s.refused(fault.DocumentNotFound, err)
	})
}
