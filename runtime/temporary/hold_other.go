//go:build !unix

package temporary

import "os"

// hold reports true: a file that another process has open cannot be removed there.
func hold(*os.File) (bool, error) { return true, nil }
