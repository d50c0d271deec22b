import { beforeEach, expect, it } from 'vitest'
import { ACTIONS, cellKey, opensRow } from './grid-keys'

const at = (id: string) => document.getElementById(id) as HTMLElement
const press = (id: string, key: string) => {
  at(id).focus()
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  at(id).dispatchEvent(event)
  const opens = opensRow(event)
  return { opens, own: cellKey(event), focused: document.activeElement?.id }
}

beforeEach(() => {
  document.body.innerHTML = `
    <div id="name" class="ag-cell" tabindex="-1"><a id="link" href="/x">x</a><button id="edit" tabindex="-1"></button></div>
    <div id="actions" col-id="${ACTIONS}" class="ag-cell" tabindex="-1"><button id="first" tabindex="-1"></button><button id="more" tabindex="-1"></button></div>
    <div id="none" col-id="${ACTIONS}" class="ag-cell" tabindex="-1"></div>
    <div id="plain" class="ag-cell" tabindex="-1">text</div>`
})

it.each([
  ['plain', 'Enter', { opens: true, own: false, focused: 'plain' }],
  ['name', 'Enter', { opens: true, own: false, focused: 'name' }],
  ['none', 'Enter', { opens: true, own: false, focused: 'none' }],
  ['actions', 'Enter', { opens: false, own: true, focused: 'first' }],
  ['more', 'Enter', { opens: false, own: true, focused: 'more' }],
  ['more', 'ArrowDown', { opens: false, own: true, focused: 'more' }],
  ['more', 'Tab', { opens: false, own: false, focused: 'more' }],
  ['actions', 'ArrowDown', { opens: false, own: false, focused: 'actions' }],
  ['name', 'F2', { opens: false, own: true, focused: 'link' }],
  ['plain', 'F2', { opens: false, own: true, focused: 'plain' }],
  ['link', 'ArrowRight', { opens: false, own: true, focused: 'edit' }],
  ['edit', 'ArrowRight', { opens: false, own: true, focused: 'edit' }],
  ['edit', 'ArrowLeft', { opens: false, own: true, focused: 'link' }],
  ['link', 'Escape', { opens: false, own: true, focused: 'name' }],
  ['more', 'F2', { opens: false, own: true, focused: 'actions' }],
])('at %s, %s', (id, key, wanted) => {
  expect(press(id, key)).toEqual(wanted)
})
