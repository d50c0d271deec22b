package record_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
)

// player makes random writes that may meet those of others.
type player struct {
	w      *world
	random *rand.Rand
	done   map[string]int
}

func (p *player) pick(model string) row {
	state, err := p.w.state(p.w.t.Context())
	if err != nil {
		return nil
	}
	for _, r := range state[model] { // in the order of the map, which is random
		return r
	}
	return nil
}

func (p *player) ref(model string) string {
	if r := p.pick(model); r != nil && p.random.IntN(6) > 0 {
		return `"` + r.text("id") + `"`
	}
	return "null"
}

func (p *player) amount() string {
	if p.random.IntN(8) == 0 {
		return "null"
	}
	return fmt.Sprintf(`"%d.%02d"`, p.random.IntN(90), p.random.IntN(100))
}

func (p *player) input(model string, r row) string {
	switch model {
	case "project":
		return fmt.Sprintf(`{"title": "P%d", "rate": %s}`, p.random.IntN(1000), p.amount())
	case "contract":
		return fmt.Sprintf(`{"title": "C%d", "project": %s, "factor": %s}`, p.random.IntN(1000), p.ref("project"), p.amount())
	case "bundle":
		payments := []string{}
		for range p.random.IntN(4) {
			if one := p.ref("payment"); one != "null" && !slices.Contains(payments, one) {
				payments = append(payments, one)
			}
		}
		return fmt.Sprintf(`{"title": "B", "payments": [%s]}`, strings.Join(payments, ", "))
	}
	switch p.random.IntN(4) {
	case 0:
		return fmt.Sprintf(`{"title": "x", "lines": [{"qty": %s}, {"qty": %s}]}`, p.amount(), p.amount())
	case 1:
		return fmt.Sprintf(`{"title": "x", "contract": %s}`, p.ref("contract"))
	}
	return fmt.Sprintf(`{"title": "x", "contract": %s, "amount": %s}`, p.ref("contract"), p.amount())
}

// play makes one write; a refusal because somebody else was faster is part of the game.
func (p *player) play() error {
	model := []string{"project", "contract", "contract", "payment", "payment", "payment", "bundle"}[p.random.IntN(7)]
	r := p.pick(model)
	var err error
	what := model
	switch n := p.random.IntN(10); {
	case r == nil || n < 3:
		what += " add"
		_, err = p.w.try(p.w.boss, model, "", 0, p.input(model, nil))
	case n < 9:
		what += " edit"
		version, _ := r["version"].(int64)
		_, err = p.w.try(p.w.boss, model, r.text("id"), version, p.input(model, r))
	default:
		what += " delete"
		_, err = p.w.w.Delete(p.w.t.Context(), p.w.boss, model, []string{r.text("id")})
	}
	var f *fault.Error
	switch {
	case err == nil:
		p.done[what]++
	case errors.As(err, &f) && slices.Contains([]fault.Code{fault.VersionStale, fault.RecordNotFound, fault.RecordInvalid, fault.RecordBusy, fault.DeleteBusy}, f.Code):
		p.done[fmt.Sprintf("%s refused %d", what, f.Code)]++
	default:
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
