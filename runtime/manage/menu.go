package manage

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
)

// Folder is the type of menu items that hold others.
const Folder = "Folder"

// Menu changes the menu of an application's document.
type Menu struct{ App *edit.Node }

// Entry returns the item of a code, with the list that holds it and its place there; nil when there is none.
func (m Menu) Entry(code string) (entry, list *edit.Node, at int) {
	return find(m.App.Get("menu"), code)
}

func find(in *edit.Node, code string) (entry, list *edit.Node, at int) {
	for i, e := range in.Items() {
		if strings.EqualFold(e.Get("code").Text(), code) {
			return e, in, i
		}
		if entry, list, at := find(e.Get("children"), code); entry != nil {
			return entry, list, at
		}
	}
	return nil, nil, 0
}

// list is where the items of a folder are; those of the application for "".
func (m Menu) list(folder string) (*edit.Node, error) {
	if folder == "" {
		return m.App.List("menu"), nil
	}
	e, _, _ := m.Entry(folder)
	if e == nil || e.Get("type").Text() != Folder {
		return nil, fault.New(fault.MenuNotFound)
	}
	return e.List("children"), nil
}

// Add puts a new item at a place of a folder.
func (m Menu) Add(folder string, at int, entry *edit.Node) error {
	code := entry.Get("code").Text()
	if e, _, _ := m.Entry(code); e != nil {
		return fault.New(fault.AppCodeTaken, code)
	}
	list, err := m.list(folder)
	if err != nil {
		return err
	}
	list.Insert(at, entry)
	return nil
}

// Move takes an item to a place of a folder. The place is counted without the item.
func (m Menu) Move(code, folder string, at int) error {
	entry, from, i := m.Entry(code)
	if entry == nil {
		return fault.New(fault.MenuNotFound)
	}
	if strings.EqualFold(code, folder) {
		return fault.New(fault.MenuFolderInside)
	}
	if inside, _, _ := find(entry.Get("children"), folder); folder != "" && inside != nil {
		return fault.New(fault.MenuFolderInside)
	}
	to, err := m.list(folder)
	if err != nil {
		return err
	}
	from.Members = append(from.Members[:i:i], from.Members[i+1:]...)
	to.Insert(at, entry)
	return nil
}

// Delete takes an item away; a folder must be empty.
func (m Menu) Delete(code string) (*edit.Node, error) {
	entry, list, _ := m.Entry(code)
	if entry == nil {
		return nil, fault.New(fault.MenuNotFound)
	}
	if len(entry.Get("children").Items()) > 0 {
		return nil, fault.New(fault.MenuFolderFull, entry.Get("code").Text())
	}
	list.Remove(func(e *edit.Node) bool { return e == entry })
	return entry, nil
}

// DeleteModel takes away all items that open a model.
func (m Menu) DeleteModel(model string) { deleteModel(m.App.Get("menu"), model) }

func deleteModel(in *edit.Node, model string) {
	in.Remove(func(e *edit.Node) bool {
		deleteModel(e.Get("children"), model)
		return Opens(e, model)
	})
}

// Opens reports whether an item opens a model.
func Opens(e *edit.Node, model string) bool {
	if e.Get("type").Text() != "BizModel" {
		return false
	}
	of := e.Get("schemaCode").Text()
	if of == "" {
		of = e.Get("code").Text()
	}
	return strings.EqualFold(of, model)
}
