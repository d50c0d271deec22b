package notify_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/internal/followtest"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

func TestReading(t *testing.T) {
	each(t, map[string]func(*world){"search": search, "bounds": bounds, "own": own, "opens": opens, "says": says, "sender": sender, "marks": marks, "sweep": sweep, "heard": heard})
}

// search: each filter alone and together, against a model; the newest first, in pages.
func search(w *world) {
	type message struct {
		text string
		of   notify.Type
		read bool
	}
	all := []message{{"50% of A_1", 101, true}, {"half of AX1", 101, false}, {`back\slash`, 32, true}, {"remark", notify.Mention, false}, {"answer", notify.Reply, true}, {"Ünïcode", 201, false}}
	for _, m := range all {
		w.send(notify.Message{To: "bob", Type: m.of, Text: m.text}, notify.Message{To: "guest", Type: m.of, Text: m.text})
		if m.read {
			require.NoError(w, w.Read(w.Context(), w.as("bob"), []string{w.last("bob").ID}))
		}
	}
	for _, keyword := range []string{"", "a", "A_1", "50%", "%", "_", `\`, "  half ", "h\x00alf", "nothing", "ünïcode"} {
		for _, of := range []string{"", "STATION", "COMMENT", "101", "41", "12", "32767"} {
			for _, state := range []string{"", "READED", "UNREADED"} {
				var want []string
				for i := len(all) - 1; i >= 0; i-- {
					m := all[i]
					key := strings.ToLower(strings.TrimSpace(strings.ReplaceAll(keyword, "\x00", "")))
					if strings.Contains(strings.ToLower(m.text), key) && (state == "" || m.read == (state == "READED")) &&
						(of == "" || of == fmt.Sprint(int(m.of)) || of == "COMMENT" && (m.of == 41 || m.of == 42) || of == "STATION" && m.of != 41 && m.of != 42) {
						want = append(want, m.text)
					}
				}
				in := notify.Search{Keyword: keyword, Type: of, ReadState: state}
				var got []string
				for _, it := range w.list("bob", in) {
					got = append(got, it.Content)
				}
				require.Equal(w, want, got, "%+v", in)
			}
		}
	}
	page, err := w.Search(w.Context(), w.as("bob"), notify.Search{Page: 1, Size: 4})
	require.NoError(w, err)
	require.EqualValues(w, 6, page.Total)
	require.Len(w, page.Content, 2)
	require.Equal(w, "half of AX1", page.Content[0].Content)
	require.Equal(w, time.UTC, page.Content[0].Created.Location())
}

// bounds: what is too much is refused, and what is just not too much is not.
func bounds(w *world) {
	for in, code := range map[notify.Search]fault.Code{
		{Size: 1}: 0, {Size: 100}: 0, {Size: 0}: fault.PageOutOfRange, {Size: 101}: fault.PageOutOfRange, {Size: 1, Page: -1}: fault.PageOutOfRange,
		{Size: 100, Page: 1000}: 0, {Size: 100, Page: 1001}: fault.PageOutOfRange,
		{Size: 1, Keyword: strings.Repeat("字", 100)}: 0, {Size: 1, Keyword: strings.Repeat("字", 101)}: fault.BadParameter,
		{Size: 1, Type: "station"}: fault.BadParameter, {Size: 1, Type: "0"}: fault.BadParameter, {Size: 1, Type: "-1"}: fault.BadParameter, {Size: 1, Type: "32768"}: fault.BadParameter,
		{Size: 1, ReadState: "UNREAD"}: fault.BadParameter,
	} {
		if _, err := w.Search(w.Context(), w.as("bob"), in); code == 0 {
			require.NoError(w, err, "%+v", in)
		} else {
			w.refused(code, err)
		}
	}
	require.NoError(w, w.Read(w.Context(), w.as("bob"), make([]string, 500)))
	w.refused(fault.BadParameter, w.Read(w.Context(), w.as("bob"), make([]string, 501)))
	w.refused(fault.BadParameter, w.ReadAll(w.Context(), w.as("bob"), "MAIL"))
}

// own: a message exists for its recipient alone, and no more when it was taken back.
func own(w *world) {
	w.send(notify.Message{To: "bob", Type: 101, Text: "for bob", About: "it"})
	id := w.last("bob").ID
	of := func(user string) bool {
		it, found, err := w.One(w.Context(), w.as(user), id)
		require.NoError(w, err)
		require.Equal(w, found, it.ID == id)
		_, err = w.Target(w.Context(), w.as(user), id)
		if !found {
			w.refused(fault.MessageNotFound, err)
		} else {
			require.NoError(w, err)
		}
		require.Len(w, w.list(user, notify.Search{}), map[bool]int{true: 1}[found])
		return found
	}
	require.True(w, of("bob"))
	require.False(w, of("ann"))
	require.NoError(w, w.Read(w.Context(), w.as("ann"), []string{id}))
	require.NoError(w, w.ReadAll(w.Context(), w.as("ann"), ""))
	require.Equal(w, "UNREADED", w.last("bob").ReadState)
	w.write(func(ctx context.Context, tx *store.Tx) error { return w.Withdraw(tx, "it") })
	require.False(w, of("bob"))
	require.Zero(w, w.unread("bob"))
}

// opens: what a message opens, for whom.
func opens(w *world) {
	open, secret := w.task("Gate", "OPEN"), w.task("Vault", "SECRET")
	tasks := query.Ref{SchemaCode: "task"}
	flow := notify.Biz{WorkflowInstanceID: "w1", InstanceName: "Leave", OriginatorName: "Cid"}
	for name, c := range map[string]struct {
		notify.Message
		to      string
		opens   bool
		nothing bool
		place   notify.Place
	}{
		"a record":                               {notify.Message{Type: 101, Record: open}, "guest", true, false, ""},
		"a record that is not seen":              {notify.Message{Type: 101, Record: secret}, "guest", false, false, ""},
		"a record that others see":               {notify.Message{Type: 101, Record: secret}, "ann", true, false, ""},
		"the task of a record that is hidden":    {notify.Message{Type: 101, Record: secret, Biz: flow}, "guest", true, false, ""},
		"a mention in a hidden workflow":         {notify.Message{Type: notify.Mention, Record: secret, Biz: flow}, "guest", true, false, ""},
		"a reply in a hidden workflow":           {notify.Message{Type: notify.Reply, Record: secret, Biz: flow}, "guest", false, false, ""},
		"a name of no workflow":                  {notify.Message{Type: 101, Record: secret, Biz: notify.Biz{InstanceName: "Leave"}}, "guest", false, false, ""},
		"a deleted workflow":                     {notify.Message{Type: 105, Record: open}, "ann", false, true, ""},
		"a list":                                 {notify.Message{Type: 31, Record: tasks}, "guest", true, false, ""},
		"a list that is not seen":                {notify.Message{Type: 31, Record: tasks}, "stranger", false, false, ""},
		"nothing":                                {notify.Message{Type: 101}, "ann", false, false, ""},
		"a delegation":                           {notify.Message{Type: 51}, "bob", true, false, notify.PlaceDelegations},
		"the end of a delegation":                {notify.Message{Type: 52}, "bob", true, false, notify.PlaceDelegations},
		"a delegation of an administrator":       {notify.Message{Type: 51}, "root", false, false, ""},
		"a delegation of a record":               {notify.Message{Type: 51, Record: open}, "bob", true, false, ""},
		"tasks that were handed over":            {notify.Message{Type: 31, Biz: notify.Biz{Tasks: 1}}, "bob", true, false, notify.PlaceTasks},
		"records that were handed over":          {notify.Message{Type: 31, Biz: notify.Biz{Records: 2}}, "bob", false, false, ""},
		"tasks and a list":                       {notify.Message{Type: 31, Record: tasks, Biz: notify.Biz{Tasks: 1}}, "bob", true, false, ""},
		"what an audit found":                    {notify.Message{Type: 201, Biz: notify.Biz{WorkflowInstanceID: "i", Finding: true}}, "root", true, false, notify.PlaceFindings},
		"what an audit found, for others":        {notify.Message{Type: 201, Biz: notify.Biz{WorkflowInstanceID: "i", Finding: true}}, "bob", false, false, ""},
		"tasks of people who left":               {notify.Message{Type: 62, Biz: notify.Biz{Tasks: 1}}, "bob", false, false, ""},
		"a custom message about a hidden record": {notify.Message{Type: 201, Record: secret, Biz: flow}, "guest", false, false, ""},
	} {
		c.To = c.to
		w.send(c.Message)
		it := w.last(c.to)
		require.Equal(w, c.opens, it.Opens, name)
		at, err := w.Target(w.Context(), w.as(c.to), it.ID)
		require.NoError(w, err)
		require.Equal(w, notify.Target{Record: c.Record, Biz: c.Biz, Nothing: c.nothing, Place: c.place}, at, name)
	}
}

// says: the words of a message in the language of its reader. A hidden record has no name, no quotation and no workflow.
func says(w *world) {
	open, secret := w.task("Gate", "OPEN"), w.task("Vault", "SECRET")
	flow := notify.Biz{WorkflowInstanceID: "w1", InstanceName: "Leave", OriginatorName: "Cid"}
	nameless := notify.Biz{InstanceName: "Leave", OriginatorName: "Cid"}
	own := plan.Label{Zh: "停电", I18n: map[string]string{"en": "Power cut"}}
	step := notify.Biz{InstanceName: "Leave", OriginatorName: "Cid", Step: "审核", StepI18n: map[string]string{"en": "Check"}}
	type words struct{ title, content, name string }
	for name, c := range map[string]struct {
		notify.Message
		en, zh words
	}{
		"a record":                {notify.Message{Type: 101, Record: open, Biz: nameless}, words{"Your action is needed: Gate", "Leave, started by Cid", "Gate"}, words{"待您处理：Gate", "Cid 发起的“Leave”", "Gate"}},
		"a hidden record":         {notify.Message{Type: 101, Record: secret, Biz: nameless, Text: "the code is 7"}, words{"A task needs your action", "", ""}, words{"有任务待您处理", "", ""}},
		"a workflow":              {notify.Message{Type: 101, Record: secret, Biz: flow}, words{"Your action is needed: Leave", "Leave, started by Cid", "Leave"}, words{"待您处理：Leave", "Cid 发起的“Leave”", "Leave"}},
		"a quotation":             {notify.Message{Type: 101, Record: open, Biz: flow, Text: "hurry"}, words{"Your action is needed: Gate", "hurry", "Gate"}, words{"待您处理：Gate", "hurry", "Gate"}},
		"a step that is done":     {notify.Message{Type: 12, Record: open, Biz: step}, words{"Completed “Check”: Gate", "Leave, started by Cid", "Gate"}, words{"“审核”已完成：Gate", "Cid 发起的“Leave”", "Gate"}},
		"a step with agreement":   {notify.Message{Type: 16, Record: open, Biz: step}, words{"Approved at “Check”: Gate", "Leave, started by Cid", "Gate"}, words{"“审核”已同意：Gate", "Cid 发起的“Leave”", "Gate"}},
		"a step without":          {notify.Message{Type: 17, Record: open, Biz: step}, words{"Rejected at “Check”: Gate", "Leave, started by Cid", "Gate"}, words{"“审核”已驳回：Gate", "Cid 发起的“Leave”", "Gate"}},
		"no step":                 {notify.Message{Type: 16, Record: open, Biz: nameless}, words{"Approved: Gate", "Leave, started by Cid", "Gate"}, words{"已同意：Gate", "Cid 发起的“Leave”", "Gate"}},
		"no record":               {notify.Message{Type: 101, Text: "hurry"}, words{"A task needs your action", "hurry", ""}, words{"有任务待您处理", "hurry", ""}},
		"an own title":            {notify.Message{Type: 201, Title: own, Text: "at noon"}, words{"Power cut", "at noon", ""}, words{"停电", "at noon", ""}},
		"an own title, otherwise": {notify.Message{Type: 101, Title: own, Record: open}, words{"Power cut", "", "Gate"}, words{"停电", "", "Gate"}},
		"numbers":                 {notify.Message{Type: 31, Biz: notify.Biz{UserNameList: []string{"Ann"}, Records: 1, Tasks: 2}}, words{"The work of Ann was handed over to you", "Done by System; Records: 1; Workflow tasks: 2", ""}, words{"Ann 的工作已移交给您", "操作人：系统；数据：1 条；流程任务：2 项", ""}},
		"no numbers":              {notify.Message{Type: 31, Biz: notify.Biz{Roles: []string{"a"}}}, words{"Work was handed over to you", "Done by System; Roles: a", ""}, words{"有工作移交给您", "操作人：系统；角色：a", ""}},
	} {
		c.To = "guest"
		w.send(c.Message)
		for locale, want := range map[string]words{"en": c.en, "zh": c.zh} {
			it, found, err := w.One(w.Context(), w.in("guest", locale), w.last("guest").ID)
			require.NoError(w, err)
			require.True(w, found)
			var biz struct{ ObjectID, SchemaCode, ObjectDataName string }
			require.NoError(w, json.Unmarshal([]byte(it.Biz), &biz))
			require.Equal(w, want, words{it.Title, it.Content, biz.ObjectDataName}, "%s in %s", name, locale)
			require.Equal(w, c.Record, query.Ref{SchemaCode: biz.SchemaCode, ID: biz.ObjectID}, name)
		}
	}
}

// sender: who sent a message, while they are known.
func sender(w *world) {
	w.send(notify.Message{To: "bob", Type: 32, Sender: w.ids["ann"]}, notify.Message{To: "bob", Type: 32, Sender: "somebody who left"}, notify.Message{To: "bob", Type: 32})
	got := w.list("bob", notify.Search{})
	require.Nil(w, got[0].Sender)
	require.Nil(w, got[1].Sender)
	require.Equal(w, "System changed a record", got[1].Title)
	require.Equal(w, &notify.Sender{ID: w.ids["ann"], Name: "ann"}, got[2].Sender, "without a picture")
	require.Equal(w, "ann changed a record", got[2].Title)
	require.Len(w, w.list("bob", notify.Search{Keyword: "ANN"}), 1, "a sender is searched by name")
}

// marks: what is marked is counted no more, by ids, by the kinds of the tabs and all at once.
func marks(w *world) {
	fill := func() {
		w.send(notify.Message{To: "bob", Type: 101}, notify.Message{To: "bob", Type: 32}, notify.Message{To: "bob", Type: 41}, notify.Message{To: "bob", Type: 42}, notify.Message{To: "bob", Type: 42},
			notify.Message{To: "guest", Type: 42})
	}
	fill()
	require.Equal(w, [2]int64{2, 3}, w.unread("bob"))
	require.Equal(w, [2]int64{}, w.unread("ann"))
	all := w.list("bob", notify.Search{})
	ctx, bob := w.Context(), w.as("bob")
	for _, step := range []struct {
		mark func() error
		want [2]int64
	}{
		{func() error { return w.Read(ctx, bob, nil) }, [2]int64{2, 3}},
		{func() error { return w.Read(ctx, bob, []string{all[0].ID, all[4].ID, "none"}) }, [2]int64{1, 2}},
		{func() error { return w.ReadAll(ctx, bob, "42") }, [2]int64{1, 1}},
		{func() error { return w.ReadAll(ctx, bob, "COMMENT") }, [2]int64{1, 0}},
		{func() error { return w.ReadAll(ctx, bob, "") }, [2]int64{}},
	} {
		require.NoError(w, step.mark())
		require.Equal(w, step.want, w.unread("bob"))
	}
	require.Equal(w, [2]int64{0, 1}, w.unread("guest"))
}

// sweep: a message goes so long after it was read first, however often it is marked again; one that nobody read stays.
func sweep(w *world) {
	swept := func() int64 {
		gone, err := w.Sweep(w.Context())
		require.NoError(w, err)
		return gone
	}
	w.send(notify.Message{To: "bob", Type: 101, Text: "read early"}, notify.Message{To: "bob", Type: 101, Text: "never read"}, notify.Message{To: "bob", Type: 101, Text: "read late"})
	all := w.list("bob", notify.Search{})
	require.NoError(w, w.Read(w.Context(), w.as("bob"), []string{all[2].ID}))
	w.pass(keep)
	require.Zero(w, swept(), "just not long enough")
	require.NoError(w, w.Read(w.Context(), w.as("bob"), []string{all[0].ID, all[2].ID}))
	w.pass(time.Second)
	gone, err := w.service(0).Sweep(w.Context())
	require.NoError(w, err)
	require.Zero(w, gone, "kept forever")
	require.EqualValues(w, 1, swept())
	require.Equal(w, "read late never read", w.texts("bob", notify.Search{}))
	w.pass(10 * keep)
	require.EqualValues(w, 1, swept())
	require.Equal(w, "never read", w.texts("bob", notify.Search{}))

	// More than one transaction removes.
	var many []notify.Message
	for range 1001 {
		many = append(many, notify.Message{To: w.ids["guest"], Type: 101})
	}
	w.write(func(ctx context.Context, tx *store.Tx) error { return w.Send(tx, many...) })
	require.NoError(w, w.ReadAll(w.Context(), w.as("guest"), ""))
	w.pass(2 * keep)
	require.EqualValues(w, 1001, swept())
	require.Zero(w, swept())
}

// heard: who listens is told when messages come, are read, and are taken back.
func heard(w *world) {
	bob := w.ids["bob"]
	f := followtest.New(w, func(ctx context.Context, listening func() []string, tell func(notify.Counts)) {
		w.Follow(ctx, listening, func(_ string, c notify.Counts) { tell(c) })
	})
	f.Watch(bob)
	f.Next(notify.Counts{})
	w.send(notify.Message{To: "bob", Type: 101, About: "one"})
	f.Next(notify.Counts{Station: 1})
	w.send(notify.Message{To: "bob", Type: 41})
	f.Next(notify.Counts{Station: 1, Comment: 1})
	require.NoError(w, w.ReadAll(w.Context(), w.as("bob"), "COMMENT"))
	f.Next(notify.Counts{Station: 1})
	w.write(func(ctx context.Context, tx *store.Tx) error { return w.Withdraw(tx, "one") })
	f.Next(notify.Counts{})
	f.Quiet()
}
