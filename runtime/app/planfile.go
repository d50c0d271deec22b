package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/store"
)

// The refusals of a plan file. Each says what to do.
var (
	ErrNoPlanFile        = errors.New("this is not a plan file of this version; write one with sluice plan --out")
	ErrOtherInstallation = errors.New("the plan is of another installation")
	ErrDocumentsMoved    = errors.New("the definitions changed since the plan was made; plan again")
	ErrDatabaseMoved     = errors.New("the database changed since the plan was made; plan again")
	ErrStepsMoved        = errors.New("records changed so that the steps are others than in the plan; plan again")
)

// planFormat names the form of a plan file and its version.
const planFormat = "sluice-plan-1"

// maxPlanFile is how many bytes of a plan file are read.
const maxPlanFile = 64 << 20

// PlanFile is a plan as a file that people review and an apply compares. It is never carried out itself: an apply plans again, and takes its
// own plan only where it is this one.
type PlanFile struct {
	Format       string       `json:"format"`
	Made         time.Time    `json:"made"`
	Installation string       `json:"installation"` // "" = there is no database yet
	Documents    string       `json:"documents"`    // digest of the definitions, published ones among them
	Database     string       `json:"database"`     // digest of what the plan starts from
	Digest       string       `json:"digest"`       // of the steps with their classes, without how many rows they meet
	Class        store.Class  `json:"class"`        // the gravest of the steps
	Steps        []store.Step `json:"steps"`
}

// NewPlanFile is the file of a plan for a catalog. The installation is that of the database.
func NewPlanFile(p *store.Plan, c *catalog.Catalog, installation string, made time.Time) *PlanFile {
	steps := p.Steps
	if steps == nil {
		steps = []store.Step{}
	}
	return &PlanFile{Format: planFormat, Made: made.UTC().Truncate(time.Second), Installation: installation, Documents: c.Digest, Database: p.From(),
		Digest: digestOfSteps(p.Steps), Class: p.Class(), Steps: steps}
}

// ReadPlanFile reads a plan file.
func ReadPlanFile(r io.Reader) (*PlanFile, error) {
	out := &PlanFile{}
	if err := json.NewDecoder(io.LimitReader(r, maxPlanFile)).Decode(out); err != nil || out.Format != planFormat {
		return nil, ErrNoPlanFile
	}
	return out, nil
}

// Same refuses where a plan that was made just before is another one than that of the file.
func (f *PlanFile) Same(now *PlanFile) error {
	switch {
	case f.Installation != now.Installation:
		return ErrOtherInstallation
	case f.Documents != now.Documents:
		return ErrDocumentsMoved
	case f.Database != now.Database:
		return ErrDatabaseMoved
	case f.Digest != now.Digest:
		return ErrStepsMoved
	}
	return nil
}

// installationSetting keeps the identity of an installation. A copy of the database is the same installation.
const installationSetting = "installation"

// Installation is the identity of the installation that a database belongs to. It is made when it is first asked for.
func Installation(ctx context.Context, db *store.DB) (string, error) {
	id, err := readSetting(ctx, db, installationSetting)
	if err != nil || id != "" {
		return id, err
	}
	if _, err := db.Adopt(ctx); err != nil {
		return "", err
	}
	err = db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&setting{Name: installationSetting, Value: rand.Text()}).Error
	})
	if err != nil {
		return "", fmt.Errorf("the setting %s: %w", installationSetting, err)
	}
	return readSetting(ctx, db, installationSetting)
}
