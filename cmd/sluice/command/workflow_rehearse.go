package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/scenario"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

type rehearseCmd struct {
	packs
	Code      string      `arg:"" help:"Code of the workflow."`
	Data      string      `help:"Folder of a SQLite database with people and records; without it and --db the people of the packs are taken." type:"path"`
	DB        string      `name:"db" help:"PostgreSQL instead of SQLite: postgres://user:password@host/name."`
	Key       secret.Text `help:"Key that encrypts the installation's keys in the database; set it as SLUICE_KEY."`
	KeyFile   string      `help:"File with the key; defaults to sluice.key in --data."`
	Initiator string      `help:"Username of who starts it; defaults to the first who may."`
	Record    string      `help:"Id of a record that it starts with."`
	Values    string      `help:"JSON file with the values of a made-up record, or with those that differ from --record."`
	Decide    []string    `help:"NODE=ACTION, NODE=reject:NODE, NODE=transfer:PERSON or NODE/PERSON=ACTION; repeatable. Elsewhere everybody agrees." sep:"none" placeholder:"NODE=ACTION"`
	JSON      bool        `help:"Print the report as JSON."`
	Locale    string      `help:"Language of the texts: zh or en; defaults to LANG." enum:"zh,en," default:""`
}

// Help is shown by `sluice workflow rehearse --help`.
func (rehearseCmd) Help() string {
	return `Plays a workflow in a transaction that is given up: nothing is written, no message goes out, no service is called. The report names each step with
who would get it and why, the routes with their conditions and values, what the end sets, and the nodes that nobody would have. Exit code 1 when
the run does not come to an end.

Actions: agree, submit, disagree, reject (to NODE), transfer (to PERSON), timeout (nobody acts until the time is over), fail (of a service).

Example:
  sluice workflow rehearse contractApproval --packs examples/ship-lock --values contract.json --decide project=reject:start
  sluice workflow rehearse contractApproval --packs examples/ship-lock --data ./data --initiator li.wei --record 0193…`
}

func (c *rehearseCmd) Run(ctx context.Context, io console) error {
	run := workflow.RehearsalRun{Initiator: c.Initiator, Record: c.Record}
	if c.Values != "" {
		text, err := os.ReadFile(home(c.Values))
		if err != nil {
			return usageError{err}
		}
		if err := json.Unmarshal(text, &run.Values); err != nil {
			return usageError{fmt.Errorf("%s: %w", c.Values, err)}
		}
	}
	for _, text := range c.Decide {
		d, err := decisionOf(text)
		if err != nil {
			return err
		}
		run.Decisions = append(run.Decisions, d)
	}
	a, end, err := c.open(ctx, io)
	if err != nil {
		return err
	}
	out, err := a.Workflows().Rehearse(ctx, a.State().Policy.View(principal.System("rehearsal"), a.Now(), a.Zone()),
		workflow.Rehearsal{Workflow: c.Code, Runs: []workflow.RehearsalRun{run}})
	if e := end(); err == nil {
		err = e
	}
	var misfit *workflow.Misfit
	switch {
	case errors.As(err, &misfit):
		return usageError{c.unknown(misfit)}
	case err != nil:
		return err
	}
	if c.JSON {
		encoder := json.NewEncoder(io.out)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(out)
	} else {
		printRehearsal(io, out, english(c.Locale))
	}
	if err == nil && out.Runs[0].Outcome != workflow.OutcomeEnded {
		return exitError(exitFaulty)
	}
	return err
}

// open is the system of --data or --db, or a temporary one.
func (c *rehearseCmd) open(ctx context.Context, io console) (*app.App, func() error, error) {
	if c.Data == "" && c.DB == "" {
		docs, err := c.documents(io)
		if err != nil {
			return nil, nil, err
		}
		return scenario.Temporary(ctx, docs, io.version)
	}
	cfg, err := config(database{Data: cmp.Or(c.Data, "./data"), DB: c.DB, Key: c.Key, KeyFile: c.KeyFile}, c.packs, io, newLogger(io.err, "warn", "text"))
	if err != nil {
		return nil, nil, err
	}
	cfg.Existing, cfg.Idle = true, true
	a, err := app.Open(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	return a, a.Close, nil
}

// decisionOf reads NODE=ACTION, with the person behind a slash and what the action leads to behind a colon.
func decisionOf(text string) (d workflow.RehearsalDecision, err error) {
	at, action, found := strings.Cut(text, "=")
	if !found || at == "" {
		return d, usageError{fmt.Errorf("--decide %s: write NODE=ACTION", text)}
	}
	d.Node, d.Person, _ = strings.Cut(at, "/")
	d.Do, d.To, _ = strings.Cut(action, ":")
	return d, nil
}

func (c *rehearseCmd) unknown(m *workflow.Misfit) error {
	text := fmt.Sprintf("--initiator: nobody is called %q", m.Word)
	if m.Word == "" {
		text = "--initiator: nobody may start this workflow; name somebody"
	}
	if m.Decision >= 0 {
		what := map[string]string{"activityCode": "node", "person": "person", "action": "action", "to": "node or person"}[m.Key]
		text = fmt.Sprintf("--decide %s: unknown %s %q", c.Decide[m.Decision], what, m.Word)
	}
	if m.Near != "" {
		text += fmt.Sprintf(" (did you mean %q?)", m.Near)
	}
	return errors.New(text)
}

// printRehearsal writes a report for people.
func printRehearsal(io console, out *workflow.Rehearsed, en bool) {
	say := func(zh, english string) string {
		if en {
			return english
		}
		return zh
	}
	words := func(w workflow.Words) string { return say(w.Zh, w.En) }
	name := func(zh string, i18n map[string]string) string {
		locale := "zh"
		if en {
			locale = "en"
		}
		return plan.Label{Zh: zh, I18n: i18n}.In(locale)
	}
	line := func(format string, args ...any) {
		fmt.Fprintln(io.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
	run := out.Runs[0]
	line("%s %s — %s", out.Workflow, name(out.Name, out.NameI18n), fmt.Sprintf(say("发起人：%s", "started by %s"), run.Initiator.Name))
	for i, s := range run.Steps {
		round := ""
		if s.Round > 1 {
			round = fmt.Sprintf(say("（第 %d 轮）", " (round %d)"), s.Round)
		}
		title := name(s.Name, s.NameI18n)
		if s.By != nil && s.Kind == "decision" {
			line("%3d. %s: %s %s %s", i+1, title, s.By.Name, action(s.Verdict, en), words(s.Text))
		} else {
			line("%3d. %s [%s]%s %s", i+1, title, s.Node, round, words(s.Text))
		}
		for _, p := range s.People {
			line("       %s — %s", cmp.Or(p.Person.Name, say("（无人）", "(nobody)")), joined(p.Why, words))
		}
		for _, p := range s.Dropped {
			line("     - %s — %s", p.Person.Name, joined(p.Why, words))
		}
		for _, r := range s.Routes {
			mark := " "
			if r.Taken {
				mark = "→"
			}
			zh, english := r.Because()
			line("     %s %s %s", mark, cmp.Or(name(r.Name, r.NameI18n), r.To), say(zh, english))
		}
		for _, v := range s.Sets {
			line("       %s = %s", name(v.Name, v.NameI18n), v.Text)
		}
		if s.Refused != nil {
			line("     ! %s", words(*s.Refused))
		}
	}
	line("%s", outcome(run, en))
	for _, f := range run.Findings {
		line("! %s: %s", f.Node, words(f.Text))
	}
	for _, d := range run.Nobody {
		line("! %s [%s]: %s", name(d.Name, d.NameI18n), d.Node, words(d.Policy))
	}
	var never []string
	for _, n := range run.Never {
		never = append(never, n.Node)
	}
	if len(never) > 0 {
		line(say("没有到达：%s", "never reached: %s"), strings.Join(never, ", "))
	}
	line(say("会发出 %d 条消息", "messages that would go out: %d"), len(run.Messages))
}

func joined(of []workflow.Words, say func(workflow.Words) string) string {
	var out []string
	for _, w := range of {
		out = append(out, say(w))
	}
	return strings.Join(out, "; ")
}

func action(verdict string, en bool) string {
	zh := map[string]string{"agree": "同意", "submit": "提交", "disagree": "不同意", "reject": "退回", "transfer": "转办"}
	english := map[string]string{"agree": "agrees", "submit": "submits", "disagree": "disagrees", "reject": "rejects", "transfer": "transfers"}
	if en {
		return cmp.Or(english[verdict], verdict)
	}
	return cmp.Or(zh[verdict], verdict)
}

func outcome(run workflow.RehearsedRun, en bool) string {
	zh := map[string]string{workflow.OutcomeEnded: "流程结束", workflow.OutcomeWaits: "流程停在待处理的任务上", workflow.OutcomeStuck: "流程异常，等待管理员",
		workflow.OutcomeRefused: "脚本中的决定无法执行", workflow.OutcomeEndless: "步骤过多，已停止"}
	english := map[string]string{workflow.OutcomeEnded: "It comes to its end", workflow.OutcomeWaits: "It waits for a task", workflow.OutcomeStuck: "It waits for an administrator",
		workflow.OutcomeRefused: "A decision of the script cannot be made", workflow.OutcomeEndless: "Given up after too many steps"}
	if en {
		return english[run.Outcome]
	}
	return zh[run.Outcome]
}
