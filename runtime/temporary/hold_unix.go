//go:build unix

package temporary

import (
	"errors"
	"os"
	"syscall"
)

// hold takes the lock of a file, which ends with its process. It is false while another process has it.
func hold(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
