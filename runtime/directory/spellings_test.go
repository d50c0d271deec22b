package directory_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestSpellingsOfPeople: whom the spellings of testdata/people.json mean. The browser reads the same lines.
func TestSpellingsOfPeople(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		raw, err := os.ReadFile("testdata/people.json")
		require.NoError(t, err)
		var corpus struct {
			People []struct {
				Username, Name, Mobile, Email, EmployeeNo, Department string
				Disabled                                              bool
			}
			Cases []struct {
				Text  string
				Means []string
			}
		}
		require.NoError(t, json.Unmarshal(raw, &corpus))
		require.Greater(t, len(corpus.Cases), 60)
		o := newCompany(t, db, c)
		departments, called := map[string]string{}, map[string]string{}
		o.write(func(ctx context.Context, tx *store.Tx) error {
			for _, p := range corpus.People {
				if p.Department != "" && departments[p.Department] == "" {
					departments[p.Department] = o.id()
					if err := o.putDepartment(tx, told, principal.Department{ID: departments[p.Department], Name: p.Department}, false); err != nil {
						return err
					}
				}
				id := o.id()
				called[id] = p.Username
				if err := o.putPerson(tx, told, principal.Person{ID: id, Username: p.Username, Name: p.Name, Mobile: p.Mobile, Email: p.Email, EmployeeNo: p.EmployeeNo,
					MainDepartment: departments[p.Department], Disabled: p.Disabled}); err != nil {
					return err
				}
			}
			return nil
		})
		for _, x := range corpus.Cases {
			got := []string{}
			for _, m := range o.Match(t.Context(), directory.User, x.Text, directory.MatchKeys{Mobile: true, Email: true, EmployeeNo: true}) {
				got = append(got, called[m.ID])
			}
			slices.Sort(got)
			require.Equal(t, x.Means, got, "%q", x.Text)
		}
	})
}
