package portal_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/design"
)

// TestScriptByDigest: a script is served by its digest to the readers of its page; by another one, that of a page they may not open, or
// that of an older version, nothing is.
func TestScriptByDigest(t *testing.T) {
	each(t, func(w *world) {
		publish := func(code, read, hook string) {
			t.Helper()
			w.takes("root", "demo", code, true)
			opened, err := w.app.Designs().Document(w.Context(), w.as("root"), pageOf("demo", code))
			require.NoError(w, err)
			text := fmt.Sprintf(`{"name": "页", "name_i18n": {"en": "Page"}, "read": [%q],
				"widgets": [{"type": "Notice", "text": "a", "text_i18n": {"en": "a"}}],
				"scriptText": "export default {\n  options: { version: '1.1' },\n  hooks: { %s(page) {} },\n}"}`, read, hook)
			require.NoError(w, w.publishes("root", design.Draft{Name: pageOf("demo", code), New: opened.New, Seen: opened.Seen, Text: text}))
		}
		digest := func(name, code string) string {
			t.Helper()
			u, err := url.Parse(*w.get(name, code).Script)
			require.NoError(w, err)
			return u.Query().Get("digest")
		}
		publish("first", "all", "one")
		publish("second", "own", "two")
		first, second := digest("all", "first"), digest("own", "second")
		require.NotEqual(w, first, second)
		for _, one := range []struct{ name, digest, want string }{
			{"all", first, "one"}, {"own", second, "two"},
			{"all", second, ""}, {"own", first, ""}, {"none", first, ""}, {"all", "", ""}, {"own", first[1:], ""},
		} {
			text, err := w.app.Portals().Script(w.as(one.name), one.digest)
			if one.want == "" {
				require.Equal(w, fault.PortalNotFound, fault.Of(err), "%s %s", one.name, one.digest)
				require.Empty(w, text)
				continue
			}
			require.NoError(w, err)
			require.Contains(w, text, one.want+"(page)")
		}
		publish("first", "all", "three")
		_, err := w.app.Portals().Script(w.as("all"), first)
		require.Equal(w, fault.PortalNotFound, fault.Of(err), "the one before")
		text, err := w.app.Portals().Script(w.as("all"), digest("all", "first"))
		require.NoError(w, err)
		require.Contains(w, text, "three(page)")
	})
}
