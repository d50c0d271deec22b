package world

import "context"

// Workflows is what the World of the pack organisation can do with the tasks of people: an action or job asserts it of its World. Each method
// asks for the right handover on the person whose tasks they are.
type Workflows interface {
	// Waiting are the ids of the instances in which a task is open for a person, and of their drafts.
	Waiting(ctx context.Context, user string) ([]string, error)
	// HandOverTasks gives what is open for one person in an instance to another, and returns how many tasks that are: 0 when nothing is open
	// any more, so it can be repeated.
	HandOverTasks(ctx context.Context, instance, from, to string) (int, error)
	// HandOverDelegations lets what is delegated to one person go to another from now on, and ends what they have delegated. It returns how
	// many delegations there were.
	HandOverDelegations(ctx context.Context, from, to string) (int, error)
}
