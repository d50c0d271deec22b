// Package fault is the error that a user or a calling system sees: a number of schemas/errors.json, arguments for its
// text, and a cause that only the log shows. It imports nothing of ours; the text is chosen at the edge (runtime/httpapi).
package fault

import (
	"errors"
	"fmt"
)

// Code is a number of the error catalogue (schemas/errors.json).
type Code int

// Codes that packages below the HTTP edge name. The numbers, statuses and texts stand in schemas/errors.json; a test
// compares both.
const (
	LoginFailed        Code = 100001 // account or password wrong; the same for unknown users
	EmptyParameter     Code = 100002
	BadParameter       Code = 100003
	RepeatSubmit       Code = 100005
	Unauthenticated    Code = 100010 // no token
	TokenExpired       Code = 100011
	RefreshRejected    Code = 100012
	KeyExpired         Code = 100013 // the one-time RSA key is unknown, used or too old
	TooManyAttempts    Code = 100014 // at passwords; Data: Retry
	PasswordDue        Code = 100015 // an administrator set the password: nothing else before it is changed
	TooLarge           Code = 100020 // body over its limit
	TooManyRequests    Code = 100021 // Data: Retry
	DeadlineExceeded   Code = 100022
	TooExpensive       Code = 100023 // a query over its cost
	OwnerDisabled      Code = 200003 // the person for whom a job works may no longer sign in
	RoleNotFound       Code = 200004
	PasswordRule       Code = 200101
	PasswordSame       Code = 200102
	PasswordWrong      Code = 200103
	ModelNotFound      Code = 300001
	ListNotFound       Code = 300002
	FormNotFound       Code = 300003
	RecordNotFound     Code = 302000 // missing or not visible
	RecordInvalid      Code = 302001 // Data: Invalid, the fields at fault
	VersionStale       Code = 302002 // Data: Stale
	FieldUnknown       Code = 302003 // unknown or not allowed: the same answer
	FieldRequired      Code = 302004
	FieldType          Code = 302005 // value of the wrong type or form
	FieldTooLong       Code = 302006
	FieldRange         Code = 302007
	FieldOption        Code = 302008 // not an option
	FieldReference     Code = 302009 // record, person or department missing or not visible
	FieldPattern       Code = 302010
	FieldRule          Code = 302011 // a formula rule refused the value
	FieldDuplicate     Code = 302012 // unique
	FieldCycle         Code = 302013 // a tree row under itself
	FieldNotOffered    Code = 302018 // a choice that the values beside it do not allow
	FieldComputed      Code = 302019 // a computed value beyond what is stored
	RecordReferenced   Code = 302014 // delete refused: other records refer to it
	FieldRole          Code = 302015 // a role code of no access document
	FieldAbove         Code = 302017 // of a person or role that may do more than the principal could grant
	RecordUnseen       Code = 302016 // refused for fields that the principal may not read; the log names them
	FieldScale         Code = 302031 // more decimal places than the field keeps
	FieldWhole         Code = 302032 // decimal places where none are kept
	FieldTooMany       Code = 302033 // more rows or files than the field takes
	FieldTooFew        Code = 302034
	FieldLeast         Code = 302035 // below the only limit that the author set
	FieldMost          Code = 302036
	FieldDisabled      Code = 302037 // an option that stands but may not be chosen anew
	FileKind           Code = 302071 // a file of a kind that is not taken at all
	FileTooLarge       Code = 302072
	FileContent        Code = 302073 // content that does not fit the ending of the name
	FileEmpty          Code = 302074
	FileNotFound       Code = 302075 // missing or not visible
	FileNotAccepted    Code = 302076 // not of the kinds that the field takes
	FileQuota          Code = 302077 // a person has too many uploads that belong to no record
	ValueEmpty         Code = 302041 // a change of many records to nothing
	FieldNotBulk       Code = 302042 // not one that many records can be given at once; also: hidden, unique
	WorkflowRecord     Code = 302043 // a change of many records leaves those of workflows alone
	OwnerMissing       Code = 302044
	ChangedSince       Code = 302045 // an undo met a value that is no longer the change's
	RowRefused         Code = 302046 // one record of many: {0} says why
	DeleteRefused      Code = 302047 // one record of many: {0} says why
	LogNotFound        Code = 302048
	BatchTooLong       Code = 302049 // a change of many records to a text that does not fit: {0} the field, {1} characters
	OperatorNotAllowed Code = 302020
	FilterValue        Code = 302021
	PageOutOfRange     Code = 302022
	SortNotAllowed     Code = 302023
	ActionRefused      Code = 302030 // an action of a pack refused, in its own words
	NotPublished       Code = 401033 // adding is no longer offered by the list that a page shows
	ActionNotOffered   Code = 302061
	ActionNotEnabled   Code = 302062
	ActionRecords      Code = 302063
	ActionAddress      Code = 302064
	RecordBusy         Code = 302091 // other transactions hold what the record, or a computed value, is made of
	RelatedRange       Code = 302092 // a computed value of another record would not fit
	DraftLimit         Code = 302101 // a person has too many drafts
	DraftNotFound      Code = 302102 // missing or somebody else's
	JobNotFound        Code = 500001 // missing or somebody else's
	JobState           Code = 500002 // cancelled when it has ended, tried again when it has not failed
	DeleteBusy         Code = 550006 // other transactions hold what was to be deleted
	AppNotFound        Code = 600001
	Forbidden          Code = 700001
	NoAddPermission    Code = 700020
	Unavailable        Code = 800001 // starting, stopping, or another schema digest
	DatabaseAway       Code = 800002 // Data: Retry
	DatabaseBusy       Code = 800003 // locked for too long; Data: Retry
	DiskFull           Code = 800004 // of the database or of the files; Data: Retry
	BadJSON            Code = 100024
	RouteNotFound      Code = 100025
	MethodNotAllowed   Code = 100026
	MediaType          Code = 100027
	CrossSite          Code = 100028
	BodySlow           Code = 100029 // the body arrives too slowly
	ClientGone         Code = 100032 // nobody waits for the answer any more: for the log and the metrics
	BadText            Code = 100033 // {0} names where a text stands that cannot be stored
	SetupDone          Code = 100030
	SetupSecret        Code = 100031
	UserExists         Code = 200001
	UserNotFound       Code = 200002
	Internal           Code = 999999
)

// Codes of saved filters.
const (
	SavedFilterNotFound Code = 302051 // missing or not visible
	SavedFilterName     Code = 302052 // the person has one that is called so
	SavedFilterLimit    Code = 302053

	CommentNotFound  Code = 303001 // missing, or of a record that is not visible
	CommentEmpty     Code = 303002 // neither a text nor a file
	CommentTooLong   Code = 303003
	CommentMention   Code = 303004 // of somebody who cannot read the record
	CommentMentions  Code = 303005 // too many people in one comment
	CommentFiles     Code = 303006 // too many files
	CommentForeign   Code = 303007 // somebody else's comment is not one's own to change
	CommentTooOften  Code = 303008 // Data: Retry
	CommentAnswered  Code = 303009 // a reply to a comment that was deleted
	MessageNotFound  Code = 304001 // missing, or somebody else's
	MessageNoAddress Code = 304002 // it is about no record
)

// Codes of deleted records and earlier versions.
const (
	VersionNotFound Code = 302081 // the record was not there then
	RecycleGone     Code = 302082 // not in the recycle bin, not any more, or not visible there
	RestoreExists   Code = 302083 // a record with the id of the deleted one exists
)

// Codes of documents that are published. The data of refusals tells what the changeset would do.
const (
	DocumentNotFound   Code = 402001
	PublishFaulty      Code = 402002 // {0} errors
	PublishConflict    Code = 402003 // somebody changed the file {0} since the author began
	PublishConfirm     Code = 402004 // steps that were not confirmed as they are
	PublishDestructive Code = 402005 // steps that lose data
	PublishNoValue     Code = 402006 // existing records have no value for what is required now
	MovedStored        Code = 800005 // the definitions changed in the middle of a call of which something had been stored
)

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
