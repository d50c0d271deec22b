package workflow

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// InstanceSearch narrows a list of instances (api.yaml InstanceSearch).
type InstanceSearch struct {
	Word       string     `json:"searchword"`
	State      string     `json:"state"`
	Workflow   string     `json:"workflowCode"`
	Originator string     `json:"originator"`
	Department string     `json:"departmentId"` // of who started it, or below
	Handler    string     `json:"participant"`  // a person who has an open task
	From       *time.Time `json:"startFrom"`
	To         *time.Time `json:"startTo"`
	Page       int        `json:"page"`
	Size       int        `json:"size"`
}

// Instance is an instance in an answer (api.yaml WorkflowInstance).
type Instance struct {
	ID               string            `json:"workflowInstanceId"`
	Name             string            `json:"instanceName"`
	Workflow         string            `json:"workflowCode"`
	WorkflowName     string            `json:"workflowName"`
	WorkflowNameI18n map[string]string `json:"workflowName_i18n"`
	Version          int               `json:"version"`
	App              string            `json:"appCode"`
	Model            string            `json:"schemaCode"`
	Record           string            `json:"bizObjectId"`
	Originator       Person            `json:"originator"`
	State            string            `json:"state"`
	Result           string            `json:"result"`
	Started          time.Time         `json:"startTime"`
	Finished         *time.Time        `json:"finishTime"`
	Current          []Place           `json:"current"`
	Summary          []Line            `json:"summary"` // in lists
	CanRevoke        bool              `json:"canRevoke"`
	CanUrge          bool              `json:"canUrge"`
	CanVoid          bool              `json:"canVoid"`
	CanRetry         bool              `json:"canRetry"`
	CanDelete        bool              `json:"canDelete"`
}

// Mine lists what the caller has started; all = what anybody has, for those who administer workflows.
func (s *Service) Mine(ctx context.Context, view *authz.View, in InstanceSearch, all bool) (*Page[Instance], error) {
	if in.Size < 1 || in.Size > maxPage || in.Page < 0 {
		return nil, fault.New(fault.PageOutOfRange)
	}
	if all && !oversees(view) {
		return nil, fault.New(fault.Forbidden)
	}
	out := &Page[Instance]{Content: []Instance{}}
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		of := func() *gorm.DB {
			q := tx.System().Model(&instance{})
			switch {
			case !all:
				q = q.Where("initiator = ?", view.User())
			case in.Originator != "":
				q = q.Where("initiator = ?", in.Originator)
			}
			if in.Department != "" {
				q = q.Where("dept IN ?", s.cfg.People.Below(ctx, []string{in.Department}))
			}
			if in.Handler != "" {
				q = q.Where("id IN (?)", tx.System().Model(&item{}).Select("instance").Where("person = ? AND list = ?", in.Handler, listUnfinished))
			}
			if in.State != "" {
				q = q.Where("status = ?", in.State)
			}
			if in.Workflow != "" {
				q = q.Where("code = ?", in.Workflow)
			}
			if in.From != nil {
				q = q.Where("started >= ?", in.From.UTC())
			}
			if in.To != nil {
				q = q.Where("started < ?", in.To.UTC())
			}
			if word := strings.ToLower(strings.TrimSpace(in.Word)); word != "" {
				q = q.Where(`search LIKE ? ESCAPE '\'`, "%"+escaped(word)+"%")
			}
			return q
		}
		if err := of().Count(&out.Total).Error; err != nil {
			return err
		}
		var rows []instance
		if err := of().Order("started DESC").Order("id DESC").Offset(in.Page * in.Size).Limit(in.Size).Find(&rows).Error; err != nil {
			return err
		}
		shown := make([]*Instance, len(rows))
		for i, row := range rows {
			one, err := s.instance(ctx, tx, view, row)
			if err != nil {
				return err
			}
			shown[i] = one
		}
		if err := s.tellInstances(ctx, tx, view, shown); err != nil {
			return err
		}
		for _, one := range shown {
			out.Content = append(out.Content, *one)
		}
		return nil
	})
	return out, err
}
