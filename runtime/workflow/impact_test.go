package workflow_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// looks tells what the check before a publication says of running instances.
func (w *world) looks(role string, changes map[string]func(string) string) (out []string) {
	w.Helper()
	view := w.app.State().Policy.View(principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: []string{role}, Locale: "en"}, w.app.Now(), w.app.Zone())
	var files []app.Change
	for path, change := range changes {
		now, err := w.app.DocumentText(w.Context(), view, "approvals", path, 0)
		one, old := app.Change{Pack: "approvals", Path: path}, ""
		if err == nil {
			one.Seen, old = now.Seen, *now.Text
		}
		if next := change(old); next != "" {
			one.Text = &next
		}
		files = append(files, one)
	}
	p, err := w.app.Look(w.Context(), view, app.Changeset{Files: files})
	require.NoError(w, err)
	require.Zero(w, p.Diagnostics.Errors(), "%v", p.Diagnostics)
	for _, one := range p.Workflows {
		out = append(out, one.Workflow+": "+one.Text.In("en"))
	}
	return out
}

// The check before a publication tells what becomes of instances that run: they go on, can move, or stop at a step, as they then do.
func TestPublicationTellsOfInstances(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		in := w.asks(5_000_000)
		require.Empty(w, w.looks("administrator", map[string]func(string) string{"models/order.json": w.replaced("订单", "单")}), "instances run by the version of now")
		renamed := map[string]func(string) string{
			"models/order.json":            w.replaced(`"code": "total"`, `"code": "amountDue", "renamedFrom": "total"`),
			"workflows/orderApproval.json": w.replaced(`"total"`, `"amountDue"`, "total >=", "amountDue >="),
		}
		moves := "orderApproval: workflow orderApproval: 1 instance runs by version 1; 1 of them can move to the new one"
		require.Empty(w, w.looks("administrator", renamed), "a rename alone makes no version")
		relabeled := maps.Clone(renamed)
		relabeled["workflows/orderApproval.json"] = w.replaced(`"total"`, `"amountDue"`, "total >=", "amountDue >=", "金额", "数额")
		require.Equal(w, []string{moves}, w.looks("administrator", relabeled))
		broken := map[string]func(string) string{
			"models/order.json":            w.replaced(`  {"code": "total", "name": "总额", "name_i18n": {"en": "Total"}, "propertyType": "Number", "scale": 2},`+"\n", ""),
			"workflows/orderApproval.json": w.replaced(`"total": "rw", `, "", "total >= 1000000", "floor >= 1000000"),
		}
		require.Equal(w, []string{moves + "\n" + `    instances of version 1 stop at the step “金额”: This part of the workflow's version doesn't fit the current definitions: unknown name "total"`},
			w.looks("administrator", broken))
		require.Equal(w, []string{"orderApproval: workflow orderApproval is gone: 1 running instance goes on by its version"},
			w.looks("administrator", map[string]func(string) string{"workflows/orderApproval.json": is("")}))
		called := w.replaced(`{"schemaCode": "order", `, `{"renamedFrom": "orderApproval", "schemaCode": "order", `)(orderFlow)
		agreement := map[string]func(string) string{"workflows/orderApproval.json": is(""), "workflows/agreement.json": is(called)}
		require.Empty(w, w.looks("administrator", agreement), "a renamed workflow is the same version")
		agreement["workflows/agreement.json"] = is(w.replaced("金额", "数额")(called))
		require.Equal(w, []string{moves}, w.looks("administrator", agreement), "and is not gone")

		w.publish(broken)
		done, err := w.agrees("sue", in)
		require.NoError(w, err)
		require.Equal(w, "EXCEPTION", string(done.Status), "it stops there, as the check said")
	})
}

// All instances are looked at, and a look that stops says how far it came.
func TestPublicationLooksAtAllInstances(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		in := w.asks(5_000_000)
		require.NoError(w, w.flows().Copies(w.Context(), in.Instance, 504))
		relabeled := map[string]func(string) string{"workflows/orderApproval.json": w.replaced("金额", "数额")}
		require.Equal(w, []string{"orderApproval: workflow orderApproval: 505 instances run by version 1; 505 of them can move to the new one"}, w.looks("administrator", relabeled))
		renamed := map[string]func(string) string{"workflows/orderApproval.json": w.replaced(`"id": "check"`, `"id": "look"`, `"next": ["check"]`, `"next": ["look"]`)}
		told := strings.Split(w.looks("administrator", renamed)[0], "\n")
		require.Equal(w, "orderApproval: workflow orderApproval: 505 instances run by version 1; 0 of them can move to the new one", told[0])
		require.Len(w, told, 12)
		require.Equal(w, "    and 495 more", told[11])
		defer workflow.LookFor(0)()
		require.Equal(w, []string{"orderApproval: workflow orderApproval: 505 instances run by version 1; in the time there was, only the oldest 1 was looked at, of which 1 can move to the new one"},
			w.looks("administrator", relabeled))
	})
}
