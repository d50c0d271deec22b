package channel

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/notify"
)

// TestAnswersOfWebhooks: which answers are about one message for good, which about the address, and after which the message is sent again.
func TestAnswersOfWebhooks(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	defer server.Close()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	send := func(to string) error {
		at, err := url.Parse(to)
		require.NoError(t, err)
		h := hooker{&Hook{URL: at, Client: client, Secret: "secret"}, time.Now}
		return h.send(t.Context(), row{ID: "1"}, post{item: notify.Item{Biz: "{}"}})
	}
	const message, address, later = "message", "address", "later"
	for of, statuses := range map[string][]int{
		message: {400, 402, 405, 410, 422, 451, 499},
		address: {300, 302, 307, 399, 401, 403, 404, 429, 500, 502, 503, 599},
		later:   {408, 409, 425},
	} {
		for _, status = range statuses {
			var failed *mail.Failure
			require.ErrorAs(t, send(server.URL), &failed, "%d", status)
			require.Equal(t, [2]bool{of == message, of == address}, [2]bool{failed.Permanent, failed.Server}, "%d", status)
		}
	}
	for _, status = range []int{200, 202, 204, 299} {
		require.NoError(t, send(server.URL), "%d", status)
	}
	server.Close()
	var failed *mail.Failure
	require.ErrorAs(t, send(server.URL), &failed)
	require.True(t, failed.Server && !failed.Permanent, "no answer")
}
