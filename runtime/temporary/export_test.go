package temporary

// CreatePart is CreateBeside where files need a name.
var CreatePart = createPart
