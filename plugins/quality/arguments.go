package quality

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// What arguments of calls may say is in their declarations: a word is one of an enum, and an id is that of a record which the caller sees. An
// answer about nothing would read like one about something that has nothing.

// words is the declaration of an argument that is one of some words, or empty.
func words(list ...string) string {
	text, err := json.Marshal(append(slices.Clone(list), ""))
	if err != nil {
		panic(err) // texts always marshal
	}
	return fmt.Sprintf(`{"type": ["string", "null"], "enum": %s, null]}`, strings.TrimSuffix(string(text), "]"))
}

// identified are the models whose ids arguments name, by their "x-id".
var identified = map[string]string{"node": codes.Node, "process": codes.Process, "library": codes.Library, "binding": codes.Binding, "group": codes.Group, "component": codes.Component, "model": codes.Model, "dueSet": codes.DueSet, "checkItem": codes.CheckItem}

// offered are the choices whose options arguments name, by their "x-option": those of dictionaries, which a system may extend.
var offered = map[string][2]string{"discipline": {codes.Library, codes.Professional}}

// isOption reports whether a word is an option of a choice.
func isOption(w world.World, choice, word string) bool {
	of := offered[choice]
	m, _ := w.ModelOf(of[0])
	i := slices.IndexFunc(m.Properties, func(p world.Property) bool { return p.Code == of[1] })
	return i >= 0 && slices.Contains(m.Properties[i].Options, word)
}

// knownQueries find which of some ids the caller sees.
func knownQueries() (out []world.Query) {
	for name, model := range identified {
		out = append(out, by("known."+name, model, "has(args.ids, id)", map[string]plan.Kind{"ids": plan.Set}, []string{"version"}, nil))
	}
	return out
}

// named lets a call run whose arguments name records that the caller sees. Another one is refused with the name of the argument.
func named[In, Out any](properties string, run func(ctx context.Context, c action.Call, in In) (Out, error)) func(ctx context.Context, c action.Call, in In) (Out, error) {
	type argument struct {
		ID     string `json:"x-id"`
		Option string `json:"x-option"`
		Items  struct {
			ID string `json:"x-id"`
		}
	}
	var declared map[string]argument
	if err := json.Unmarshal([]byte("{"+properties+"}"), &declared); err != nil {
		panic(fmt.Sprintf("%s: %v", properties, err)) // it is written in the program
	}
	return func(ctx context.Context, c action.Call, in In) (out Out, err error) {
		var given map[string]json.RawMessage
		if err := json.Unmarshal(c.Body, &given); err != nil {
			return out, err
		}
		for name, of := range declared {
			var ids []string
			if word := ""; of.Option != "" && json.Unmarshal(given[name], &word) == nil && word != "" && !isOption(c, of.Option, word) {
				return out, fault.New(fault.BadParameter, name)
			}
			if one := ""; of.ID != "" && json.Unmarshal(given[name], &one) == nil && one != "" {
				ids = []string{one}
			} else if of.Items.ID != "" {
				_ = json.Unmarshal(given[name], &ids) // missing, or null
			}
			if len(ids) == 0 {
				continue
			}
			if err := allSeen(ctx, c, of.ID+of.Items.ID, name, ids); err != nil {
				return out, err
			}
		}
		return run(ctx, c, in)
	}
}

// allSeen refuses an argument with ids of which the caller does not see one.
func allSeen(ctx context.Context, w world.World, of, argument string, ids []string) error {
	ids = unique(ids)
	for chunk := range slices.Chunk(ids, manyAbove) {
		found := 0
		for _, err := range w.Rows(ctx, "quality.known."+of, world.Args{"ids": chunk}) {
			if err != nil {
				return err
			}
			found++
		}
		if found < len(chunk) {
			return fault.New(fault.BadParameter, argument)
		}
	}
	return nil
}
