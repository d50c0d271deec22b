// Package savedfilter keeps the filters of lists that people named for themselves, and those that they share. It holds no
// rule about what may be filtered: runtime/query reads every filter again, when it is saved and each time it is given out,
// with the rights of the person who asks. It is not for the filters that a list's definition begins with.
package savedfilter
