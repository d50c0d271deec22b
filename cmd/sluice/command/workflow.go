package command

// workflowCmd holds the commands about workflows.
type workflowCmd struct {
	Import workflowImportCmd `cmd:"" help:"Make a workflow of a BPMN 2.0 file."`
	Export workflowExportCmd `cmd:"" help:"Write a workflow as a BPMN 2.0 file."`
}
