package survey

import (
	"context"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"

	"example.com/survey/codes"
)

// remindJob tells surveyors of campaigns that are overdue. The schedule starts it each morning with the role of the reason surveyReminder.
func remindJob() world.Job {
	return world.Job{Code: "survey.remind", Title: plan.Label{Zh: "提醒逾期任务", I18n: map[string]string{"en": "Reminder of overdue campaigns"}},
		Work: func(ctx context.Context, r world.Run) (any, error) {
			told := 0
			err := r.Step(ctx, func(w world.World) (any, error) {
				today := w.Now().In(w.Zone()).Format("2006-01-02")
				for row, err := range w.Rows(ctx, "survey.overdue", world.Args{"today": today}) {
					if err != nil {
						return nil, err
					}
					surveyor := row.Text(codes.Surveyor)
					if surveyor == "" {
						continue
					}
					err := w.Tell(ctx, world.Message{To: []string{surveyor}, Model: codes.Campaign, Record: row.ID, Once: "survey.overdue." + row.ID + "." + today, Text: row.Text(codes.Due),
						Title: plan.Label{Zh: "观测任务已逾期：" + row.Text(codes.Title), I18n: map[string]string{"en": "Overdue campaign: " + row.Text(codes.Title)}}})
					if err != nil {
						return nil, err
					}
					told++
				}
				return nil, nil
			})
			return map[string]int{"told": told}, err
		}}
}
