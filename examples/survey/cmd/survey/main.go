// Command survey is Sluice with the pack survey.
package main

import (
	"github.com/sluice-platform/sluice/cmd/sluice/command"

	"example.com/survey"
)

func main() { command.Main("1.0.0", survey.Register) }
