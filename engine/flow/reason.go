package flow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/fault"
)

// Why a token can't go on by itself (Token.Fault). Everything else is an error that Reason wrote.
const (
	StuckNobody   = "nobody"         // nobody is found for the node
	StuckRejected = "rejected"       // it was rejected, and there is no node to send it back to
	StuckTimeout  = "timeout"        // a time limit of the node says so
	StuckChild    = "child voided"   // a sub-workflow was voided
	StuckWait     = "cannot run"     // a WAIT has neither a time nor a key
	StuckService  = "service failed" // for a reason that is only in the log
	StuckFailed   = "failed"         // in a rehearsal, by its script
)

const (
	reasonOfError = "fault "
	longestReason = 600 // characters
)

// reasonText holds what an error says in words of its own.
type reasonText struct {
	Zh string `json:"zh"`
	En string `json:"en"`
}

// Reason keeps an error in Token.Fault: its number, its arguments and what it says in words of its own, for each reader in their language.
// Its cause may hold what nobody should read and is left out.
func Reason(of *fault.Error) string {
	short := fmt.Sprintf("%s%d []", reasonOfError, of.Code)
	args := of.Args
	if args == nil {
		args = []any{}
	}
	list, err := json.Marshal(args)
	if err != nil {
		return short
	}
	out := fmt.Sprintf("%s%d %s", reasonOfError, of.Code, list)
	if of.MessageZh != "" || of.MessageEn != "" {
		if own, err := json.Marshal(reasonText{Zh: of.MessageZh, En: of.MessageEn}); err == nil {
			out += " " + string(own)
		}
	}
	if utf8.RuneCountInString(out) > longestReason {
		return short
	}
	return out
}

// ReadReason returns the error that Reason kept; nil if it is something else.
func ReadReason(text string) *fault.Error {
	if !strings.HasPrefix(text, reasonOfError) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text[len(reasonOfError):])))
	d.UseNumber()
	out := &fault.Error{}
	if d.Decode(&out.Code) != nil {
		return nil
	}
	if d.Decode(&out.Args) != nil {
		out.Args = nil // of an instance that an older version of the program kept
		return out
	}
	var own reasonText
	if d.Decode(&own) == nil {
		out.MessageZh, out.MessageEn = own.Zh, own.En
	}
	return out
}
