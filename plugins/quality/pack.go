// Package quality is the pack of quality management: the breakdown of the works, processes and business sheets, inspections and their
// evaluation by the rules of a norm, corrective actions, components, statistics (docs/quality.md).
package quality

import (
	"embed"
	"errors"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
)

//go:embed pack.json app.json models dictionaries data access forms lists prints reports workflows tests
var folder embed.FS

// Codes of the models.
const (
	project   = "pm_project"
	contract  = "c_contract"
	component = "b_mbs"
	node      = "q_qbs"
	process   = "q_jbs"
	library   = "q_jbs_base"
	binding   = "q_biz"
	bindBase  = "q_biz_base"
	checkItem = "q_check_item"
	record    = "q_record"
	group     = "q_group"
	relation  = "q_qbs_mbs"
	ncr       = "q_ncr"
	logEntry  = "q_log"
	ruleSet   = "q_rule"
	imports   = "q_import"
)

// engine is the reason for which the pack writes what follows from a change: statuses, counts and the log. Writes for it start no
// evaluation of their own.
const engine = "qualityEngine"

// review is the right to close a corrective action or to send it back. Who carries out the repair has none.
const review = "review"

// Register adds the pack's documents and its code.
func Register(s *pack.Set) error {
	s.AddFolder("plugins/quality", folder)
	if err := s.Words.Add(action.Word{Code: review, Label: plan.Label{Zh: "复查整改", I18n: map[string]string{"en": "Review corrective actions"}}, Grant: true}); err != nil {
		return err
	}
	s.On(node).BeforeWrite.Add(beforeNode)
	s.On(node).AfterWrite.Add(afterNode)
	s.On(record).BeforeWrite.Add(beforeRecord)
	s.On(process).BeforeWrite.Add(beforeProcess)
	s.On(binding).BeforeWrite.Add(beforeBinding)
	s.On(relation).BeforeWrite.Add(beforeRelation)
	s.On(relation).AfterWrite.Add(afterRelation)
	s.On(ncr).BeforeWrite.Add(beforeNCR)
	s.On(group).BeforeWrite.Add(beforeGroup)
	s.On(ruleSet).BeforeWrite.Add(beforeRules)
	s.On(evaluation).BeforeWrite.Add(beforeEvaluation)
	for _, model := range []string{ruleSet, project} {
		s.On(model).AfterWrite.Add(forgetRules)
	}
	s.On(library).BeforeWrite.Add(beforeLibrary)
	s.On(bindBase).BeforeWrite.Add(beforeLibraryBinding)
	for _, model := range []string{library, bindBase} {
		s.On(model).AfterWrite.Add(counted)
	}
	for _, model := range []string{process, binding, record, ncr} {
		s.On(model).AfterWrite.Add(afterPart)
	}
	s.BeforeWrite.Add(beforeSheet)
	s.AfterWrite.Add(afterSheet)
	s.AfterMove.Add(moved)
	s.On(node).Codes = map[hook.Refusal]fault.Code{
		{Property: "code", Code: fault.FieldDuplicate}:      DuplicateCode,
		{Property: "projectId", Code: fault.FieldDuplicate}: DuplicateCode, // both are the key
	}
	holders := map[string]fault.Code{}
	for _, model := range []string{record, binding, process, relation, ncr, "q_setout", "q_hidden", "q_work", "q_doccheck", "q_appearance", evaluation} {
		holders[model] = NodeReferenced
	}
	s.On(node).Holders = holders
	s.On(group).Holders = map[string]fault.Code{record: GroupUsed}
	s.On(binding).Holders = map[string]fault.Code{record: SheetUsed, "q_setout": SheetUsed, "q_hidden": SheetUsed, "q_work": SheetUsed, "q_doccheck": SheetUsed, "q_appearance": SheetUsed, evaluation: SheetUsed}
	var errs []error
	for _, d := range faults {
		errs = append(errs, s.Errors.Add(d))
	}
	for _, q := range queries {
		errs = append(errs, s.Queries.Add(q))
	}
	for _, c := range calls {
		errs = append(errs, s.Actions.Add(c))
	}
	return errors.Join(errs...)
}
