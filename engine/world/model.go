package world

import "github.com/sluice-platform/sluice/engine/plan"

// Model tells of a model as its documents say: for code that works with models which it does not bring itself. It tells of documents and not
// of records, so nobody's rights are asked.
type Model struct {
	Code       string
	Name       plan.Label
	Properties []Property // without those that every model has
	Workflows  []Workflow // that run with records of the model, by code
}

// Property is a property of a Model, or a column of a sub-table.
type Property struct {
	Code     string
	Name     plan.Label
	Type     string     // "RelevanceForm"
	Relation string     // the model that a relation refers to; "" = it is none
	Columns  []Property // of a sub-table
	Options  []string   // codes of a choice, in the order that people see; nil = it is none
}

// Workflow is a workflow that new instances can be started of.
type Workflow struct {
	Code string
	Name plan.Label
}
