package command

// workflowCmd holds the commands about workflows.
type workflowCmd struct {
	Import   workflowImportCmd `cmd:"" help:"Make a workflow of a BPMN 2.0 file."`
	Export   workflowExportCmd `cmd:"" help:"Write a workflow as a BPMN 2.0 file."`
	Rehearse rehearseCmd       `cmd:"" help:"Run a workflow without writing anything: who gets it, in what order, and why."`
	Audit    workflowAuditCmd  `cmd:"" help:"Look at all running workflows and print what nothing in them can mend."`
}
