package world

import "context"

// ParticipantSource answers who the people of a kind of participants of workflows are. Where several sources know a kind, their people are
// taken together; those who may not sign in are left out.
type ParticipantSource struct {
	Code string // "organisation.groups": begins with the pack's code
	Kind string // "group" or "projectMember", as workflows write it
	// Models are the codes of the models, beside people, departments and roles, that the answer is read from: unclaimed tasks that follow whom
	// their node names are looked at again when one of them changes.
	Models []string
	// People returns ids of users. The World only reads, and sees everything.
	People func(ctx context.Context, w World, of Participants) ([]string, error)
}

// Participants are what a workflow says of people whom a pack knows.
type Participants struct {
	Values []string // "value" in the definition: groups, or roles in the project
	// Model and Record are what the workflow is about; "" where somebody asks who may start it.
	Model, Record string
	Initiator     string // id of a user
}

// Name implements registry.Entry.
func (s ParticipantSource) Name() string { return s.Code }

// Options implements registry.Entry.
func (ParticipantSource) Options() []byte { return nil }
