// Package fault is the error that a user or a calling system sees: a number of schemas/errors.json, arguments for its
// text, and a cause that only the log shows. It imports nothing of ours; the text is chosen at the edge (runtime/httpapi).
package fault

import (
	"errors"
	"fmt"
)

// Code is a number of the error catalogue (schemas/errors.json).
type Code int

// Error is a failure with a text for users. Args fill the text's placeholders {0}, {1}; Data goes into the envelope.
type Error struct {
	Code Code
	Args []any
	Data any
	Err  error
	// MessageZh and MessageEn are a pack's own words; "" = the text of the code.
	MessageZh, MessageEn string
}

// Definition is an error code of a pack, registered in pack.Set.Errors: what schemas/errors.json says of the product's own. Texts hold
// places for arguments: {0}, {1}.
type Definition struct {
	Code   Code
	Status int // HTTP status, 400 to 599
	Zh, En string
}

// Name implements registry.Entry.
func (d Definition) Name() string { return fmt.Sprint(int(d.Code)) }

// Options implements registry.Entry.
func (Definition) Options() []byte { return nil }

// Refuse makes the Error with which an action of a pack refuses, in its own words.
func Refuse(zh, en string) *Error {
	return &Error{Code: ActionRefused, MessageZh: zh, MessageEn: en}
}

// New makes an Error without a cause.
func New(c Code, args ...any) *Error { return &Error{Code: c, Args: args} }

// Wrap makes an Error whose cause goes to the log only.
func Wrap(err error, c Code, args ...any) *Error { return &Error{Code: c, Args: args, Err: err} }

// Retry is the Data of refusals that end by themselves; the edge also sends it as the header Retry-After.
type Retry struct {
	After int `json:"retryAfter"` // seconds
}

// Later makes an Error that ends after some seconds.
func Later(c Code, seconds int, args ...any) *Error {
	return &Error{Code: c, Args: args, Data: Retry{After: seconds}}
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("fault %d %v: %v", e.Code, e.Args, e.Err)
	}
	if in, ok := e.Data.(Invalid); ok {
		return fmt.Sprintf("fault %d %v", e.Code, in.Errors)
	}
	return fmt.Sprintf("fault %d %v", e.Code, e.Args)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Of returns the Code of the first Error in err's chain, Internal for any other error, 0 for nil.
func Of(err error) Code {
	if err == nil {
		return 0
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// FieldError is one refused field of a record. Row is the id (or "#n", its place counted from 1) of a sub-table row.
type FieldError struct {
	PropertyCode string `json:"propertyCode"`
	Row          string `json:"row,omitempty"`
	Code         Code   `json:"errcode"`
	Args         []any  `json:"-"`
	Message      string `json:"errmsg"` // filled at the edge
	MessageZh    string `json:"-"`      // the author's own text, when a data rule has one
	MessageEn    string `json:"-"`
	// The label of a field that the caller's form does not have; "" for those that say it beside themselves.
	Name     string            `json:"name,omitempty"`
	NameI18n map[string]string `json:"name_i18n,omitempty"`
}

// Invalid is the Data of RecordInvalid.
type Invalid struct {
	Errors []FieldError `json:"errors"`
}

// Stale is the Data of VersionStale: the record as it is now and the codes that differ from the caller's version.
type Stale struct {
	Current any      `json:"current"`
	Changed []string `json:"changed"`
}
