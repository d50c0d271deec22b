package temporary

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

const (
	withoutName = 0x400000 | syscall.O_DIRECTORY // O_TMPFILE
	atFolder    = -100                           // AT_FDCWD
	follow      = 0x400                          // AT_SYMLINK_FOLLOW
)

// unnamed makes a file without a name in a folder.
func unnamed(dir string) (*os.File, error) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		return nil, err
	}
	return os.OpenFile(dir, withoutName|os.O_WRONLY, 0o600)
}

// link gives a file without a name one.
func link(f *os.File, path string) error {
	from, err := syscall.BytePtrFromString("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
	if err != nil {
		return err
	}
	to, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	at := atFolder
	if _, _, no := syscall.Syscall6(syscall.SYS_LINKAT, uintptr(at), uintptr(unsafe.Pointer(from)), uintptr(at), uintptr(unsafe.Pointer(to)), follow, 0); no != 0 {
		return &os.LinkError{Op: "link", Old: f.Name(), New: path, Err: no}
	}
	return nil
}
