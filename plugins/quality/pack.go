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
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

//go:embed pack.json app.json models dictionaries data access forms lists prints reports workflows tests ui/codes.json
var folder embed.FS

// Codes of the models.
var (
	project   = codes.Project
	contract  = codes.Contract
	component = codes.Component
	node      = codes.Node
	process   = codes.Process
	library   = codes.Library
	binding   = codes.Binding
	bindBase  = codes.LibraryBinding
	checkItem = codes.CheckItem
	record    = codes.Record
	group     = codes.Group
	relation  = codes.Relation
	ncr       = codes.NCR
	logEntry  = codes.LogEntry
	ruleSet   = codes.RuleSet
	dueSets   = codes.DueSet
	dueChange = codes.DueChange
	consent   = codes.Consent
	imports   = codes.Import
)

// engine is the reason for which the pack writes what follows from a change: statuses, counts and the log. Writes for it start no
// evaluation of their own.
const engine = "qualityEngine"

// review is the right to close a corrective action or to send it back. Who carries out the repair has none.
const review = "review"

// Register adds the pack's documents and its code.
func Register(s *pack.Set) error {
	s.AddFolder("plugins/quality", folder)
	s.Declare(codes.Declared)
	if err := s.Words.Add(action.Word{Code: review, Label: plan.Label{Zh: "复查整改", I18n: map[string]string{"en": "Review corrective actions"}}, Grant: true}); err != nil {
		return err
	}
	if err := s.Words.Add(action.Word{Code: deviate, Label: plan.Label{Zh: "变更检查要求", I18n: map[string]string{"en": "Change what an inspection asks"}}, Grant: true}); err != nil {
		return err
	}
	s.On(node).BeforeWrite.Add(beforeNode)
	s.On(node).AfterWrite.Add(afterNode)
	s.On(record).BeforeWrite.Add(beforeRecord)
	s.On(codes.HiddenWork).BeforeWrite.Add(beforeHidden)
	s.On(checkItem).AfterWrite.Add(afterCheckItem)
	s.On(dueSets).AfterWrite.Add(afterDueSet)
	s.On(process).BeforeWrite.Add(beforeProcess)
	s.On(binding).BeforeWrite.Add(beforeOwner)
	s.On(binding).BeforeWrite.Add(beforeBinding)
	s.On(component).BeforeWrite.Add(beforeComponent)
	s.On(relation).BeforeWrite.Add(beforeRelation)
	s.On(relation).AfterWrite.Add(afterRelation)
	s.On(ncr).BeforeWrite.Add(beforeNCR)
	s.On(group).BeforeWrite.Add(beforeGroup)
	s.On(ruleSet).BeforeWrite.Add(beforeRules)
	s.On(dueSets).BeforeWrite.Add(beforeDueSet)
	s.On(dueChange).BeforeWrite.Add(beforeDueChange)
	s.On(dueChange).AfterWrite.Add(afterDueChange)
	s.On(consent).BeforeWrite.Add(beforeConsent)
	s.On(evaluation).BeforeWrite.Add(beforeEvaluation)
	for _, model := range []string{ruleSet, project, dueSets} {
		s.On(model).AfterWrite.Add(forgetRules)
	}
	s.On(library).BeforeWrite.Add(beforeLibrary)
	s.On(bindBase).BeforeWrite.Add(beforeLibraryBinding)
	for _, model := range []string{library, bindBase} {
		s.On(model).AfterWrite.Add(counted)
	}
	for _, model := range []string{process, binding, record, ncr, consent} {
		s.On(model).AfterWrite.Add(afterPart)
	}
	s.BeforeWrite.Add(beforeSheet)
	s.AfterWrite.Add(afterSheet)
	s.AfterMove.Add(moved)
	s.On(node).Codes = map[hook.Refusal]fault.Code{
		{Property: codes.Code, Code: fault.FieldDuplicate}:      DuplicateCode,
		{Property: codes.ProjectID, Code: fault.FieldDuplicate}: DuplicateCode, // both are the key
	}
	for _, model := range []string{binding, bindBase} {
		s.On(model).BeforeWrite.Add(workflowOfSheet)
		s.On(model).Codes = map[hook.Refusal]fault.Code{{Property: codes.WorkflowCode, Code: fault.FieldOption}: WorkflowUnknown}
	}
	holders := map[string]fault.Code{}
	for _, model := range []string{record, binding, process, relation, ncr, codes.SettingOut, codes.HiddenWork, codes.WorkLog, codes.DocumentCheck, codes.AppearanceCheck, evaluation, dueChange, consent} {
		holders[model] = NodeReferenced
	}
	s.On(node).Holders = holders
	s.On(group).Holders = map[string]fault.Code{record: GroupUsed}
	s.On(binding).Holders = map[string]fault.Code{record: SheetUsed, codes.SettingOut: SheetUsed, codes.HiddenWork: SheetUsed, codes.WorkLog: SheetUsed, codes.DocumentCheck: SheetUsed, codes.AppearanceCheck: SheetUsed, evaluation: SheetUsed}
	var errs []error
	for _, d := range faults {
		errs = append(errs, s.Errors.Add(d))
	}
	for _, q := range append(knownQueries(), queries...) {
		errs = append(errs, s.Queries.Add(q))
	}
	for _, c := range calls {
		errs = append(errs, s.Actions.Add(c))
	}
	return errors.Join(errs...)
}
