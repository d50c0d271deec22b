package importer

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/temporary"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Uploaded is a file that waits for its import.
type Uploaded struct {
	FileName string   `json:"fileName"` // names the file in later calls
	Original string   `json:"originalFilename"`
	Size     int64    `json:"size"`
	Sheets   []string `json:"sheets"`
	Rows     int      `json:"rows"` // of the first sheet as the file says, 0 = not known
	// Encodings are, of a text file, the encoding that it is read in, and then others that it may be in just as well.
	Encodings []string `json:"encodings"`
	// Choices are the encodings that a text file can be said to be in.
	Choices []string `json:"encodingChoices"`
}

// Upload looks into a file and keeps it. What cannot be read is refused here, with the reason. Last is that of blob.Upload.
func (s *Service) Upload(ctx context.Context, view *authz.View, name string, bytes io.Reader, last func(blob.File) error) (Uploaded, error) {
	tmp, size, err := spool(io.LimitReader(bytes, mostBytes+1))
	if err != nil {
		return Uploaded{}, err
	}
	defer tmp.Close()
	if size > mostBytes {
		return Uploaded{}, fault.New(fault.FileTooLarge, blob.SizeText(mostBytes))
	}
	book, err := workbook.Open(ctx, name, tmp, size, workbook.Usual)
	if err != nil {
		return Uploaded{}, uploadRefusal(name, err)
	}
	defer book.Close()
	out := Uploaded{Original: fileTitle(name), Size: size, Sheets: []string{}, Encodings: []string{}, Choices: []string{}}
	for _, sheet := range book.Sheets() {
		out.Sheets = append(out.Sheets, sheet.Name)
	}
	if len(out.Sheets) == 0 {
		return Uploaded{}, fault.New(fault.WorkbookNoSheet)
	}
	out.Rows = book.Extent(0)
	if found := book.Encodings(); len(found) > 0 {
		out.Encodings, out.Choices = found, workbook.Encodings()
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return Uploaded{}, err
	}
	f, err := s.Files().Put(ctx, blob.Upload{Name: keptName(name), By: view.User(), Most: mostBytes, Bytes: tmp, Last: last})
	out.FileName = f.ID
	return out, err
}

// keptName is the name under which a workbook is kept: files with macros are read like others, and kept as what is read of them.
func keptName(name string) string {
	if base, ok := strings.CutSuffix(name, ".xlsm"); ok {
		return base + ".xlsx"
	}
	return name
}

// DeleteUpload removes an upload that no import uses.
func (s *Service) DeleteUpload(ctx context.Context, view *authz.View, id string) error {
	if _, err := s.upload(ctx, view.User(), id); err != nil {
		return err
	}
	used := int64(0)
	err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&importRow{}).Where("file_id = ?", id).Count(&used).Error
	})
	if err != nil || used > 0 {
		return err // an import's file goes with the import
	}
	s.Files().Discard(ctx, id)
	return nil
}

// Holds reports whether an import still needs a file.
func (s *Service) Holds(tx *store.Tx, id string) (bool, error) {
	var n int64
	err := tx.System().Model(&importRow{}).Where("file_id = ?", id).Count(&n).Error
	return n > 0, err
}

// upload finds a file that somebody has uploaded.
func (s *Service) upload(ctx context.Context, user, id string) (f blob.File, err error) {
	if _, err := uuid.Parse(id); err != nil {
		return f, fault.New(fault.ImportFileGone)
	}
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		files, err := blob.Files(tx, []string{id})
		f = files[id]
		return err
	})
	if err == nil && (f.ID == "" || f.CreatedBy != user) {
		err = fault.New(fault.ImportFileGone)
	}
	return f, err
}

// spool copies bytes into a temporary file: archives are read from their end.
func spool(from io.Reader) (*temporary.File, int64, error) {
	f, err := temporary.Create()
	if err != nil {
		return nil, 0, err
	}
	n, err := io.Copy(f, from)
	if err != nil {
		_ = f.Close()
	}
	return f, n, err
}

// open opens the file of an import.
func (s *Service) open(ctx context.Context, imp *importRow) (*workbook.Book, func(), error) {
	f, err := s.upload(ctx, imp.UserID, imp.FileID)
	if err != nil {
		return nil, nil, err
	}
	bytes, err := s.Files().Read(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	defer bytes.Close()
	tmp, size, err := spool(bytes)
	if err != nil {
		return nil, nil, err
	}
	book, err := workbook.OpenAs(ctx, f.Name, imp.Encoding, tmp, size, workbook.Usual)
	if err != nil {
		_ = tmp.Close()
		return nil, nil, refusal(err)
	}
	return book, func() { _ = book.Close(); _ = tmp.Close() }, nil
}

// refusals are the faults for what a file is refused for.
var refusals = map[workbook.Why]fault.Code{
	workbook.NotASpreadsheet: fault.WorkbookKind, workbook.WrongExtension: fault.WorkbookKind, workbook.OldFormat: fault.WorkbookOld, workbook.Foreign: fault.WorkbookForeign,
	workbook.Encrypted: fault.WorkbookEncrypted, workbook.Broken: fault.WorkbookBroken, workbook.TooLarge: fault.WorkbookTooLarge,
	workbook.TooManyRows: fault.ImportTooManyRows, workbook.TooManyColumns: fault.WorkbookTooManyColumns, workbook.DTD: fault.WorkbookUnsafe,
	workbook.NoSheet: fault.WorkbookNoSheet, workbook.TooSlow: fault.WorkbookSlow, workbook.WrongEncoding: fault.WorkbookEncoding,
}

// foreign are contents that other programs write under the ending of a spreadsheet, and how people call them.
var foreign = map[any]string{"html": "HTML", "xml": "XML"}

// uploadRefusal calls tables in other formats by their names.
func uploadRefusal(name string, err error) error {
	var r *workbook.Refusal
	if ext := strings.ToLower(filepath.Ext(name)); errors.As(err, &r) && r.Why == workbook.NotASpreadsheet && len(r.Args) > 0 && strings.HasPrefix(ext, ".xls") {
		if format, known := foreign[r.Args[0]]; known {
			return fault.Wrap(err, fault.WorkbookForeign, format)
		}
	}
	return refusal(err)
}

func refusal(err error) error {
	var r *workbook.Refusal
	if !errors.As(err, &r) {
		return err
	}
	if r.Why == workbook.TooManyRows && len(r.Args) > 0 {
		return tooManyRows(err, r.Args[0])
	}
	if r.Why == workbook.NotASpreadsheet && slices.Equal(r.Args, []any{"empty"}) { // whatever its name says
		return fault.Wrap(err, fault.ImportNoRows)
	}
	code, ok := refusals[r.Why]
	if !ok {
		code = fault.WorkbookBroken
	}
	return fault.Wrap(err, code, r.Args...)
}

// fileTitle is the name of an upload as people read it: without folders and control characters, of at most 200 characters.
func fileTitle(name string) string {
	name = filepath.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, name)
	if runes := []rune(name); len(runes) > 200 {
		return string(runes[:200])
	}
	return name
}
