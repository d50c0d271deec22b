package organisation

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/phone"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/organisation/codes"
)

// filePath is where the bytes of files are, by their id.
const filePath = "/api/aliyun/download?refId="

// beforeUser keeps what is true of every person, for every writer: the main department is one of the departments, numbers are written in
// one way, nobody joins a disabled department or disables themselves.
func beforeUser(ctx context.Context, e *hook.Record, next func() error) error {
	if e.Delete {
		return next()
	}
	tidy(e)
	if e.Set[codes.Disabled] == true && e.ID == e.Principal.UserID && e.Principal.System == "" {
		return refuse(codes.Disabled, fault.DisablesSelf)
	}
	keepMain(e)
	if err := joinable(ctx, e); err != nil {
		return err
	}
	if pictures, given := e.Set[codes.Avatar].([]string); given && len(pictures) > 0 {
		e.Set[codes.ImageURL] = filePath + pictures[0]
	} else if _, cleared := e.Set[codes.Avatar]; cleared {
		if was, _ := e.Old[codes.ImageURL].(string); strings.HasPrefix(was, filePath) {
			e.Set[codes.ImageURL] = nil
		}
	}
	return next()
}

// tidy writes numbers as they are compared: a mobile number in one form, however people write it, and an identity number with a capital X.
func tidy(e *hook.Record) {
	if mobile, ok := e.Set[codes.Mobile].(string); ok {
		put(e, codes.Mobile, phone.Mobile(mobile))
	}
	if number, ok := e.Set[codes.IDNumber].(string); ok {
		put(e, codes.IDNumber, strings.ToUpper(strings.TrimSpace(number)))
	}
	for _, code := range []string{codes.EmployeeNo, codes.Email, codes.Username, codes.Name} {
		if v, ok := e.Set[code].(string); ok {
			put(e, code, strings.TrimSpace(v))
		}
	}
}

// put sets a text; an empty one leaves the property empty.
func put(e *hook.Record, property, text string) {
	if e.Set[property] = text; text == "" {
		e.Set[property] = nil
	}
}

// keepMain makes the main department one of the departments: the one that is given joins them, and where it left them the first of them
// becomes the main one.
func keepMain(e *hook.Record) {
	main, mainGiven := e.Set[codes.MainDepartment].(string)
	_, setGiven := e.Set[codes.Departments]
	now := e.New()
	in, _ := now[codes.Departments].([]string)
	switch {
	case mainGiven && !slices.Contains(in, main):
		e.Set[codes.Departments] = append([]string{main}, in...)
	case !mainGiven && setGiven:
		main, _ = now[codes.MainDepartment].(string)
		if slices.Contains(in, main) {
			return
		}
		if len(in) == 0 {
			e.Set[codes.MainDepartment] = nil
			return
		}
		e.Set[codes.MainDepartment] = in[0]
	}
}

// joinable refuses disabled departments among those that a person joins.
func joinable(ctx context.Context, e *hook.Record) error {
	now, given := e.Set[codes.Departments].([]string)
	if !given || e.Principal.System != "" || e.World == nil {
		return nil
	}
	had, _ := e.Old[codes.Departments].([]string)
	for _, one := range now {
		if slices.Contains(had, one) {
			continue
		}
		found, err := e.World.Get(ctx, department, one)
		switch {
		case fault.Of(err) == fault.RecordNotFound || fault.Of(err) == fault.ModelNotFound:
			continue // what is not there is refused with the other references
		case err != nil:
			return err
		case found.Values[codes.Disabled] == true:
			return refuse(codes.Departments, fault.DepartmentDisabled)
		}
	}
	return nil
}

// residentNumber reports whether a text is a number of a resident identity card: 17 digits and a check digit by ISO 7064, MOD 11-2.
func residentNumber(_ context.Context, c hook.Checked) (bool, error) {
	number, _ := c.Value.(string)
	if len(number) != 18 {
		return false, nil
	}
	sum := 0
	for i, weight := range []int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2} {
		if number[i] < '0' || number[i] > '9' {
			return false, nil
		}
		sum += int(number[i]-'0') * weight
	}
	return "10X98765432"[sum%11] == number[17], nil
}

// entries are the ids in the wire value of several references.
func entries(v any) (out []string) {
	list, _ := v.([]any)
	for _, one := range list {
		out = append(out, id(one))
	}
	return out
}

// update changes a record in the version that it has in this transaction.
func update(ctx context.Context, w world.World, model, record string, values map[string]any) error {
	now, err := w.Get(ctx, model, record)
	if err != nil {
		return err
	}
	_, err = w.Update(ctx, model, record, now.Version, values)
	return err
}

// refusedFor reports whether a write was refused with a code in one of its properties.
func refusedFor(err error, code fault.Code) bool {
	var refused *fault.Error
	if !errors.As(err, &refused) {
		return false
	}
	in, _ := refused.Data.(fault.Invalid)
	return slices.ContainsFunc(in.Errors, func(e fault.FieldError) bool { return e.Code == code })
}

func whole(n int) decimal.Decimal { return decimal.NewFromInt(int64(n)) }
