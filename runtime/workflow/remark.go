package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Limits of what belongs to an opinion.
const (
	mostFiles     = 9
	mostMentions  = 20
	largestFile   = 100 << 20 // bytes
	largestSigned = 512 << 10 // bytes of a signature
)

// SavedSignature is what Command.Signature says instead of a file: the one that the person has saved.
const SavedSignature = "saved"

// remarks is what blob knows the files of opinions by.
const remarks = "sl_wf_remark"

// remark is what belongs to an opinion besides its text. It is written once, with the log entry that names it.
type remark struct {
	ID        string    `gorm:"primaryKey;size:36"`
	Instance  string    `gorm:"not null;size:36;index"`
	Item      int       `gorm:"not null"` // flow.Item.ID
	Node      string    `gorm:"not null;size:63"`
	Author    string    `gorm:"not null;size:36"`
	Operation string    `gorm:"not null;size:12"`
	Signature string    `gorm:"not null;size:36;index"` // a file; "" = none
	Mentions  string    `gorm:"not null"`               // JSON array of mention
	Created   time.Time `gorm:"not null"`
}

func (remark) TableName() string { return remarks }

// remarkFile says that an opinion holds a file.
type remarkFile struct {
	Remark   string `gorm:"primaryKey;size:36"`
	Position int    `gorm:"primaryKey;autoIncrement:false"`
	File     string `gorm:"not null;size:36;index"`
}

func (remarkFile) TableName() string { return "sl_wf_remark_file" }

// mention is somebody whom an opinion mentions, with the name that is in its text.
type mention struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// File is a file on the wire, as values of attachments hold it.
type File struct {
	RefID    string `json:"refId"`
	Name     string `json:"name"`
	MimeType string `json:"mimeType"`
	Size     int64  `json:"size"`
	IsImage  bool   `json:"isImage"`
}

func fileOf(f blob.File) File {
	return File{RefID: f.ID, Name: f.Name, MimeType: f.Mime, Size: f.Size, IsImage: f.IsImage()}
}

// Remark is what belongs to an opinion (api.yaml WorkflowRemark).
type Remark struct {
	Signature *string   `json:"signature"` // reference id of a picture
	Files     []File    `json:"files"`
	Mentions  []mention `json:"mentions"`
}

// speaks reports whether an operation carries an opinion with what belongs to it.
func speaks(do flow.Operation) bool {
	switch do {
	case flow.OpSubmit, flow.OpAgree, flow.OpDisagree, flow.OpReject, flow.OpTransfer, flow.OpAddSign, flow.OpAssist, flow.OpCirculate:
		return true
	}
	return false
}

// signs reports whether a node wants an operation on one of its tasks to be signed. The initiator fills in a form and signs nothing.
func signs(n *catalog.WorkflowNode, it item, do flow.Operation) bool {
	if !n.Opinion.Signature || n.Node.Type == flow.Start || it.Type == string(flow.ItemAssist) {
		return false
	}
	return decides(do) || do == flow.OpDisagree || do == flow.OpReject
}

// remarked is a remark that was written, and whom to tell of it.
type remarked struct {
	id     string
	told   []mention
	copies []string // of told: those who take no part and get a copy
}

// remark checks and keeps what belongs to the opinion of a command, and gives a copy to those whom it mentions and who take no part.
func (r *running) remark(it item, node *catalog.WorkflowNode, c Command) (out remarked, err error) {
	files, ids := once(c.Files), once(c.Mentions)
	switch {
	case len(files) > mostFiles:
		return out, fault.New(fault.CommentFiles, mostFiles)
	case len(ids) > mostMentions:
		return out, fault.New(fault.CommentMentions, mostMentions)
	case c.Signature == "" && signs(node, it, c.vote(node.Node)):
		return out, fault.New(fault.SignatureRequired)
	case c.Signature == "" && len(files)+len(ids) == 0:
		return out, nil
	case !speaks(c.Do):
		return out, fault.New(fault.BadParameter, "opinion")
	}
	id, err := uuid.NewV7()
	if err != nil {
		return out, err
	}
	row := remark{ID: id.String(), Instance: r.row.ID, Item: it.Number, Node: it.Node, Author: r.view.User(), Operation: string(c.Do), Created: r.s.cfg.Clock().UTC()}
	if row.Signature, err = r.s.signature(r.tx, row.Author, c.Signature); err != nil {
		return out, err
	}
	if out.told, out.copies, err = r.mentioned(it, node, ids); err != nil {
		return out, err
	}
	text, err := json.Marshal(out.told)
	if err != nil {
		return out, err
	}
	row.Mentions, out.id = string(text), row.ID
	if err := r.tx.System().Create(&row).Error; err != nil {
		return out, err
	}
	if err := takeFiles(r.tx, row.Author, files, largestFile); err != nil {
		return out, err
	}
	for i, file := range files {
		if err := r.tx.System().Create(&remarkFile{Remark: row.ID, Position: i, File: file}).Error; err != nil {
			return out, err
		}
	}
	if len(out.copies) == 0 {
		return out, nil
	}
	return out, r.do(flow.Command{Do: flow.OpCirculate, By: r.view.User(), At: r.s.cfg.Clock().UTC(), Item: it.Number, People: out.copies})
}

// takeFiles makes uploads of a person's own part of an opinion; somebody else's do not exist for them.
func takeFiles(tx *store.Tx, author string, ids []string, most int64) error {
	known, err := blob.Files(tx, ids)
	if err != nil {
		return err
	}
	for _, f := range known {
		if f.CreatedBy == author && f.Size > most {
			return fault.New(fault.FileTooLarge, blob.SizeText(most))
		}
	}
	return blob.Take(tx, ids, author, remarks)
}

// mentioned are those whom an opinion mentions. Who takes no part must be somebody to whom the person of the task may give a copy.
func (r *running) mentioned(it item, node *catalog.WorkflowNode, ids []string) (told []mention, copies []string, err error) {
	told = []mention{}
	may := slices.Contains(node.Node.Actions, flow.OpCirculate) && it.Type != string(flow.ItemAssist)
	for _, id := range ids {
		who, known := r.s.cfg.People.Person(r.ctx, id)
		if !known || who.Disabled {
			return nil, nil, fault.New(fault.BadParameter, "mentions")
		}
		name, _ := r.s.cfg.People.Name(r.ctx, plan.Ref{Model: directory.User, ID: id})
		if id != r.view.User() && r.row.Initiator != id && !takesPart(r.state, id) {
			if !may {
				return nil, nil, fault.New(fault.OpinionMention, name.Name)
			}
			copies = append(copies, id)
		}
		told = append(told, mention{ID: id, Name: name.Name})
	}
	return told, copies, nil
}

// Mentionable are those whom an opinion on a task of the caller may mention; anybody = everybody, since a copy goes to those who take no part.
func (s *Service) Mentionable(ctx context.Context, view *authz.View, id string) (ids map[string]bool, anybody bool, err error) {
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		it, err := ownItem(tx, view, id)
		if err != nil {
			return err
		}
		r, err := s.read(ctx, tx, view, it.Instance)
		if err != nil {
			return err
		}
		n := r.w.Nodes[it.Node]
		anybody = n != nil && slices.Contains(n.Node.Actions, flow.OpCirculate) && it.Type != string(flow.ItemAssist)
		ids = map[string]bool{r.row.Initiator: true}
		for _, i := range r.state.Items {
			ids[i.Person], ids[i.From] = true, true
		}
		return nil
	})
	return ids, anybody, err
}

// tellMentioned sends the messages of a remark.
func (r *running) tellMentioned(of remarked, node *catalog.WorkflowNode, text string) error {
	if node.Opinion.Secret {
		text = ""
	}
	from, _ := r.s.cfg.People.Name(r.ctx, plan.Ref{Model: directory.User, ID: r.row.Initiator})
	for _, m := range of.told {
		if m.ID == r.view.User() {
			continue
		}
		var own item
		err := r.tx.System().Where("instance = ? AND person = ? AND list <> ?", r.row.ID, m.ID, "").Order("number DESC").Limit(1).Find(&own).Error
		if err != nil {
			return err
		}
		err = r.s.cfg.Notify.Send(r.tx, notify.Message{To: m.ID, Type: notify.Mention, Sender: r.view.User(), Record: queryRef(r.row.Model, r.row.Record), Text: text,
			Biz:  notify.Biz{InstanceName: r.row.Name, OriginatorName: from.Name, WorkflowInstanceID: r.row.ID, WorkItemID: own.ID, WorkItemType: own.Type},
			Once: "workflow remark " + of.id})
		if err != nil {
			return err
		}
	}
	return nil
}

// remarksOf are what belongs to the opinions of the instance, by id, as the viewer may see them.
func (r *running) remarksOf() (map[string]*Remark, map[int]*Remark, error) {
	byID, byItem := map[string]*Remark{}, map[int]*Remark{}
	var rows []remark
	if err := r.tx.System().Where("instance = ?", r.row.ID).Order("id").Find(&rows).Error; err != nil || len(rows) == 0 {
		return byID, byItem, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	var held []remarkFile
	if err := r.tx.System().Where("remark IN ?", ids).Order("remark, position").Find(&held).Error; err != nil {
		return nil, nil, err
	}
	files := make([]string, len(held))
	for i, h := range held {
		files[i] = h.File
	}
	known, err := blob.Files(r.tx, files)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		if hidden, err := r.hides(r.nodeOf(row), row.Author); err != nil {
			return nil, nil, err
		} else if hidden {
			continue
		}
		one := &Remark{Files: []File{}, Mentions: []mention{}}
		if row.Signature != "" {
			one.Signature = &row.Signature
		}
		if err := json.Unmarshal([]byte(row.Mentions), &one.Mentions); err != nil {
			return nil, nil, err
		}
		for _, h := range held {
			if f, ok := known[h.File]; ok && h.Remark == row.ID {
				one.Files = append(one.Files, fileOf(f))
			}
		}
		byID[row.ID] = one
		if state := r.state.Item(row.Item); state != nil && string(state.Verdict) == row.Operation {
			byItem[row.Item] = one
		}
	}
	return byID, byItem, nil
}

// nodeOf is the step at which a remark was written, as it is called now.
func (r *running) nodeOf(of remark) string {
	if i := r.state.Item(of.Item); i != nil {
		return r.state.Activity(i.Activity).Node
	}
	return of.Node
}

// sees is WorkflowNotFound for those who may not follow the instance: others than its people, those who administer workflows, and those who
// see its record.
func (r *running) sees() error {
	if administers(r.view) || r.row.Initiator == r.view.User() || takesPart(r.state, r.view.User()) {
		return nil
	}
	if _, _, err := r.s.cfg.Reader.Title(r.ctx, r.tx, r.view, queryRef(r.row.Model, r.row.Record)); err != nil {
		return fault.New(fault.WorkflowNotFound)
	}
	return nil
}

// readsFile reports whether somebody may read a file that belongs to an opinion, or is their own signature: who may see the opinion may.
func (s *Service) readsFile(ctx context.Context, tx *store.Tx, view *authz.View, file string) (bool, error) {
	var own int64
	if err := tx.System().Model(&preference{}).Where("person = ? AND signature = ?", view.User(), file).Count(&own).Error; err != nil || own > 0 && view.User() != "" {
		return err == nil, err
	}
	var rows []remark
	err := tx.System().Where("signature = ? OR id IN (?)", file, tx.System().Model(&remarkFile{}).Select("remark").Where("file = ?", file)).Order("id DESC").Limit(200).Find(&rows).Error
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		r, err := s.read(ctx, tx, view, row.Instance)
		if err != nil {
			if fault.Of(err) == fault.WorkflowNotFound {
				continue
			}
			return false, err
		}
		hidden, err := r.hides(r.nodeOf(row), row.Author)
		if err != nil {
			return false, err
		}
		if !hidden && r.sees() == nil {
			return true, nil
		}
	}
	return false, nil
}

// dropRemarks takes away what belongs to the opinions of an instance that is deleted, with its files.
func dropRemarks(tx *store.Tx, id string) error {
	of := tx.System().Model(&remark{}).Select("id").Where("instance = ?", id)
	var files, signed []string
	err := errors.Join(tx.System().Model(&remarkFile{}).Where("remark IN (?)", of).Pluck("file", &files).Error,
		tx.System().Model(&remark{}).Where("instance = ? AND signature <> ?", id, "").Distinct().Pluck("signature", &signed).Error)
	if err != nil {
		return err
	}
	if err := errors.Join(tx.System().Where("remark IN (?)", of).Delete(&remarkFile{}).Error, tx.System().Where("instance = ?", id).Delete(&remark{}).Error); err != nil {
		return err
	}
	for _, file := range signed {
		if err := dropSignature(tx, file); err != nil {
			return err
		}
	}
	return blob.Drop(tx, files, remarks)
}

// once leaves out what was named before.
func once(ids []string) []string {
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// dropSignature gives a signature to the sweep of files when nothing shows it any more.
func dropSignature(tx *store.Tx, file string) error {
	var used, saved int64
	err := errors.Join(tx.System().Model(&remark{}).Where("signature = ?", file).Count(&used).Error,
		tx.System().Model(&preference{}).Where("signature = ?", file).Count(&saved).Error)
	if err != nil || file == "" || used+saved > 0 {
		return err
	}
	return blob.Drop(tx, []string{file}, remarks)
}

// signature is the file that a person signs with: an upload of theirs, which is taken, or the one that they have saved.
func (s *Service) signature(tx *store.Tx, person, wanted string) (string, error) {
	switch wanted {
	case "":
		return "", nil
	case SavedSignature:
		p, err := preferenceOf(tx, person)
		if err == nil && p.Signature == "" {
			err = fault.New(fault.SignatureInvalid)
		}
		return p.Signature, err
	}
	return wanted, takeSignature(tx, person, wanted)
}

func takeSignature(tx *store.Tx, person, file string) error {
	known, err := blob.Files(tx, []string{file})
	if err != nil {
		return err
	}
	f, ok := known[file]
	if !ok || f.CreatedBy != person || f.Held || f.Mime != "image/png" || f.Size > largestSigned {
		return fault.New(fault.SignatureInvalid)
	}
	return blob.Take(tx, []string{file}, person, remarks)
}

func preferenceOf(tx *store.Tx, person string) (p preference, err error) {
	err = tx.System().Where("person = ?", person).Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = nil
	}
	return p, err
}
