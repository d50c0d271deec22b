// Command sluice is the one binary: it checks, formats and applies definitions and serves the applications made of them.
package main

import "github.com/sluice-platform/sluice/cmd/sluice/command"

// version is set by the linker.
var version = "dev"

func main() { command.Main(version) }
