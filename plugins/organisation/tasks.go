package organisation

import (
	"context"
	"errors"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
)

// taskJob hands over the open tasks of workflows, each instance in a step of its own.
const taskJob = "organisation.handoverTasks"

// successor is what taskJob is given.
type successor struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

// handedOver is what taskJob has done so far. An instance in which the tasks could not be handed over is named with the reason's code.
type handedOver struct {
	Tasks     int            `json:"tasks"`
	Instances int            `json:"instances"`
	Refused   map[string]int `json:"refused,omitempty"`
}

// giveTasks hands over delegations, and starts taskJob where tasks are open. It returns how many workflows wait for the person.
func giveTasks(ctx context.Context, w world.World, source, target string) (int, error) {
	flows, ok := w.(world.Workflows)
	if !ok {
		return 0, fault.New(fault.Forbidden)
	}
	if _, err := flows.HandOverDelegations(ctx, source, target); err != nil {
		return 0, err
	}
	waiting, err := flows.Waiting(ctx, source)
	if err != nil || len(waiting) == 0 {
		return 0, err
	}
	_, err = w.Start(ctx, taskJob, successor{source, target}, world.JobOptions{Once: source + " " + target, Subject: handover})
	return len(waiting), err
}

// handOverTasks is the work of taskJob. Taken up again, it goes on with what is still open.
func handOverTasks(ctx context.Context, r world.Run) (any, error) {
	var asked successor
	if err := r.Decode(&asked); err != nil {
		return nil, err
	}
	done := handedOver{Refused: map[string]int{}}
	if _, err := r.Progress(&done); err != nil {
		return nil, err
	}
	if done.Refused == nil {
		done.Refused = map[string]int{}
	}
	var todo []string
	step := func(do func(w world.Workflows) error) error {
		return r.Step(ctx, func(w world.World) (any, error) {
			flows, ok := w.(world.Workflows)
			if !ok {
				return nil, fault.New(fault.Forbidden)
			}
			err := do(flows)
			return done, err
		})
	}
	err := step(func(w world.Workflows) (err error) { todo, err = w.Waiting(ctx, asked.Source); return err })
	if err != nil {
		return nil, err
	}
	for i, instance := range todo {
		if done.Refused[instance] != 0 {
			continue
		}
		r.Report(int64(i), int64(len(todo)))
		before := done
		err := step(func(w world.Workflows) error {
			n, err := w.HandOverTasks(ctx, instance, asked.Source, asked.Target)
			if done.Tasks = before.Tasks + n; n > 0 {
				done.Instances = before.Instances + 1
			}
			return err
		})
		var refused *fault.Error
		if errors.As(err, &refused) && refused.Code != fault.Forbidden && refused.Code != fault.RecordNotFound {
			done.Tasks, done.Instances = before.Tasks, before.Instances
			done.Refused[instance] = int(refused.Code)
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return done, nil
}

// tasksTitle is what the owner of the job reads.
var tasksTitle = plan.Label{Zh: "移交流程任务", I18n: map[string]string{"en": "Hand over workflow tasks"}}
