package workbook

import "syscall"

// reservedAddresses are those that the Go runtime reserves without using them.
const reservedAddresses = 2 << 30

// limitProcess bounds the memory that this process can write to, and its addresses: what asks for more ends.
func limitProcess(bytes uint64) error {
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bytes, Max: bytes}); err != nil {
		return err
	}
	return syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: bytes + reservedAddresses, Max: bytes + reservedAddresses})
}
