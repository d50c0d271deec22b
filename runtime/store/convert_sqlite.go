package store

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// registerConversions adds the functions by which values take another form: what plan.Conversion says, of what is stored. NULL = the value does not fit.
func registerConversions() error {
	same := func(v any) (driver.Value, error) { return v, nil }
	return errors.Join(
		registerTrial("clock_parse", plan.Clock, same),
		registerTrial("bool_parse", plan.Bool, func(v any) (driver.Value, error) {
			if v == true {
				return int64(1), nil
			}
			return int64(0), nil
		}),
		registerTrial("instant_parse", plan.Instant, func(v any) (driver.Value, error) {
			t, ok := v.(time.Time)
			if !ok {
				return nil, fmt.Errorf("%T is no moment", v)
			}
			return encodeInstant(t), nil
		}),
		register("day_of", 2, func(args []driver.Value) (driver.Value, error) {
			t, err := decodeInstant(fmt.Sprint(args[0]))
			if err != nil {
				return nil, err
			}
			return plan.Conversion{From: plan.Instant, Zone: fmt.Sprint(args[1])}.Value(t, plan.Date), nil
		}),
		register("words_split", 3, func(args []driver.Value) (driver.Value, error) {
			var words map[string]string
			if err := json.Unmarshal([]byte(fmt.Sprint(args[1])), &words); err != nil {
				return nil, fmt.Errorf("words: %w", err)
			}
			parts := names.Parts(fmt.Sprint(args[0]), words)
			switch {
			case args[2] == int64(1): // as JSON, for json_each
				out, err := json.Marshal(append([]string{}, parts...)) // json_each reads null as a row
				return string(out), err
			case len(parts) == 0:
				return nil, nil
			}
			return strings.Join(parts, ";"), nil
		}),
		register("set_others", 2, func(args []driver.Value) (driver.Value, error) {
			var than []string
			if err := json.Unmarshal([]byte(fmt.Sprint(args[1])), &than); err != nil {
				return nil, fmt.Errorf("options: %w", err)
			}
			text := args[0]
			if b, ok := text.([]byte); ok {
				text = joined(unpackedSet(b).([]string))
			}
			others := slices.ContainsFunc(strings.Split(fmt.Sprint(text), ";"), func(m string) bool { return !slices.Contains(than, m) })
			return map[bool]int64{true: 1}[others], nil
		}),
		register("set_one", 1, func(args []driver.Value) (driver.Value, error) {
			switch x := args[0].(type) {
			case []byte:
				if len(x) == idBytes {
					return owned(x), nil
				}
			case string:
				if !strings.Contains(x, ";") {
					return x, nil
				}
			}
			return nil, nil
		}))
}
