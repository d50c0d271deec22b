package store

import (
	"encoding/json"
	"fmt"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// ValueNow gives a value that was stored some time ago, as JSON, the form of now: options have the codes of now, or the text that took their
// place, and where a property holds the names of records since, it is the name that the record has. A record that is gone has none: null, as is what
// was lost with the type of its property. The model and the property are called as they were then.
func (tx *Tx) ValueNow(then names.Reading, model, property string, v json.RawMessage) (json.RawMessage, error) {
	of, others := then.Naming(model, property)
	if !others {
		return then.Value(model, property, v), nil
	}
	id, name := "", ""
	err := error(nil)
	if json.Unmarshal(v, &id) == nil && of != "" {
		name, err = tx.RecordName(of, id)
	}
	if err != nil || name == "" {
		return json.RawMessage("null"), err
	}
	return json.Marshal(name)
}

// RecordName is the name of a record of a model of now; "" = there is none.
func (tx *Tx) RecordName(model, id string) (string, error) {
	table := referenced(tx.db.schema.Load().storage, plan.Column{References: model})
	if _, isID := packID(id); table == "" || !isID {
		return "", nil
	}
	rows, err := tx.query(tx.ctx, "SELECT "+nameOf(plan.Conversion{Names: table}, "$1"), tx.id(id))
	if err != nil {
		return "", fmt.Errorf("name of a record of %s: %w", model, err)
	}
	defer rows.Close()
	var name *string
	if rows.Next() {
		if err := rows.Scan(&name); err != nil {
			return "", err
		}
	}
	if err := rows.Err(); err != nil || name == nil {
		return "", err
	}
	return *name, nil
}
