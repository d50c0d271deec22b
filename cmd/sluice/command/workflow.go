package command

// workflowCmd holds the commands about workflows.
type workflowCmd struct {
	Rehearse rehearseCmd `cmd:"" help:"Run a workflow without writing anything: who gets it, in what order, and why."`
}
