package survey

import (
	"context"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"

	"example.com/survey/codes"
)

const anyID = `{"type": "string", "format": "uuid"}`

type remeasureInput struct {
	ID       string `json:"id"`
	Due      string `json:"due"`
	Surveyor string `json:"surveyor"`
	Remark   string `json:"remark"`
}

// remeasure plans a campaign with one point. The dialog of ui/index.tsx asks for the values.
func remeasure() action.Action {
	return action.New("remeasure", `{"type": "object", "additionalProperties": false, "required": ["id", "due"], "properties": {
			"id": `+anyID+`, "due": {"type": "string", "format": "date"}, "surveyor": {"type": "string"}, "remark": {"type": "string", "maxLength": 500}}}`,
		`{"type": "object", "required": ["campaign"], "properties": {"campaign": `+anyID+`}}`,
		func(ctx context.Context, c action.Call, in remeasureInput) (map[string]string, error) {
			point, err := c.Get(ctx, codes.ControlPoint, in.ID)
			if err != nil {
				return nil, err
			}
			if in.Due < c.Now().In(c.Zone()).Format("2006-01-02") {
				return nil, fault.Refuse("截止日期已过", "The due date has passed")
			}
			var number string
			if err := point.Decode(codes.Number, &number); err != nil {
				return nil, err
			}
			values := map[string]any{codes.Title: number, codes.Due: in.Due, codes.Remark: in.Remark, codes.Points: []map[string]any{{codes.Point: in.ID}}}
			if in.Surveyor != "" {
				values[codes.Surveyor] = in.Surveyor
			}
			id, err := c.Create(ctx, codes.Campaign, values)
			if err != nil {
				return nil, err
			}
			if in.Surveyor != "" && in.Surveyor != c.Principal().UserID {
				err = c.Tell(ctx, world.Message{To: []string{in.Surveyor}, Model: codes.Campaign, Record: id, Text: in.Remark,
					Title: plan.Label{Zh: "请复测控制点 " + number, I18n: map[string]string{"en": "Please measure point " + number + " again"}}})
			}
			return map[string]string{codes.Campaign: id}, err
		})
}

// Overview is what the page of the pack shows.
type Overview struct {
	Campaigns map[string]int64 `json:"campaigns"` // by status
	Points    map[string]int64 `json:"points"`    // by grade
}

func overview() action.Action {
	counts := `{"type": "object", "additionalProperties": {"type": "integer"}}`
	return action.New("surveyOverview", `{"type": "object", "additionalProperties": false}`,
		`{"type": "object", "required": ["campaigns", "points"], "properties": {"campaigns": `+counts+`, "points": `+counts+`}}`,
		func(ctx context.Context, c action.Call, _ struct{}) (out Overview, err error) {
			if out.Campaigns, err = countBy(ctx, c, "survey.byStatus", codes.Status); err != nil {
				return out, err
			}
			out.Points, err = countBy(ctx, c, "survey.byGrade", codes.Grade)
			return out, err
		})
}

func countBy(ctx context.Context, w world.World, query, column string) (map[string]int64, error) {
	out := map[string]int64{}
	for row, err := range w.Rows(ctx, query, nil) {
		if err != nil {
			return nil, err
		}
		out[row.Text(column)] = row.Number("count").IntPart()
	}
	return out, nil
}
