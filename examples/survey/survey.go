// Package survey is the pack of the tutorial docs/tutorial-pack.md: deformation surveys with control points, campaigns and observations. It is a
// module of its own and uses the public packages of Sluice only. It brings one of each: a property type with its interface, a page, an
// action with a dialog, a part of the record page, a hook, a job, a schedule, an error code, a kind of documents, and endpoints that
// take and give files.
package survey

import (
	"embed"
	"errors"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"

	"example.com/survey/angle"
	"example.com/survey/codes"
)

//go:embed pack.json app.json models lists access tolerances ui/codes.json
var documents embed.FS

// UnknownPoint is the error of an observation whose control point does not exist.
const UnknownPoint fault.Code = 561001

// Register adds the pack's documents and its code to a set.
func Register(s *pack.Set) error {
	s.AddFolder("survey", documents)
	s.Declare(codes.Declared)
	hooks := s.On(codes.Campaign)
	hooks.BeforeWrite.Add(judge)
	return errors.Join(
		s.Properties.Add(angle.Type{}),
		s.Kinds.Add(toleranceKind()),
		s.Errors.Add(fault.Definition{Code: UnknownPoint, Status: 422, Zh: "第 {0} 行：没有控制点 {1}", En: "Line {0}: unknown control point {1}"}),
		s.Actions.Add(remeasure()),
		s.Actions.Add(overview()),
		s.Actions.Add(importObservations()),
		s.Actions.Add(exportObservations()),
		s.Jobs.Add(importJob()),
		s.Jobs.Add(remindJob()),
		s.Schedules.Add(world.Schedule{Code: "survey.everyMorning", Job: "survey.remind", At: "06:00", Reason: "surveyReminder"}),
		s.Queries.Add(world.Query{Code: "survey.points", Model: codes.ControlPoint, Columns: []string{codes.Number}}),
		s.Queries.Add(world.Query{Code: "survey.overdue", Model: codes.Campaign, Where: "status == 'OPEN' and due < args.today",
			Args: map[string]plan.Kind{"today": plan.Date}, Columns: []string{codes.Title, codes.Surveyor, codes.Due}, OrderBy: []string{codes.Due}}),
		s.Queries.Add(world.Query{Code: "survey.byStatus", Model: codes.Campaign, GroupBy: []string{codes.Status}, Figures: []world.Figure{{As: "count", Fn: plan.SumCount}}}),
		s.Queries.Add(world.Query{Code: "survey.byGrade", Model: codes.ControlPoint, GroupBy: []string{codes.Grade}, Figures: []world.Figure{{As: "count", Fn: plan.SumCount}}}),
	)
}
