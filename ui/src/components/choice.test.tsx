import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Choice } from './choice'

const box = () => screen.getByRole('combobox')
const open = () => fireEvent.mouseDown(box())
/** What the box says that it controls. */
const controlled = () => document.getElementById(box().getAttribute('aria-controls') ?? '')
const options = (count: number) => Array.from({ length: count }, (_, i) => ({ value: `${i}`, label: `Choice ${i}` }))

it('the list that a box controls is what scrolls, and holds every choice as an option', async () => {
  render(<Choice aria-label="kind" options={options(12)} />)
  open()
  const list = await screen.findByRole('listbox')
  expect(controlled()).toBe(list)
  expect(list.style.overflowY).toBe('auto')
  expect(within(list).getAllByRole('option')).toHaveLength(12)
  expect(document.querySelectorAll('[role="listbox"]')).toHaveLength(1)
})

it('a box leads to no option where none is highlighted', async () => {
  render(<Choice aria-label="kind" options={options(3)} defaultActiveFirstOption={false} />)
  open()
  await screen.findByRole('listbox')
  expect(box().hasAttribute('aria-activedescendant')).toBe(false)
  fireEvent.keyDown(box(), { key: 'ArrowDown', keyCode: 40 })
  const active = document.getElementById(box().getAttribute('aria-activedescendant') ?? '')
  expect(active?.textContent).toBe('Choice 0')
})

it('headings are no choices, and what says that there are none is no list', async () => {
  const grouped = [{ label: 'Recent', options: options(2) }]
  const { rerender } = render(<Choice aria-label="kind" options={grouped} />)
  open()
  const list = await screen.findByRole('listbox')
  expect(within(list).getByText('Recent').getAttribute('role')).toBe('presentation')
  rerender(<Choice aria-label="kind" options={[]} notFoundContent="Nothing here" />)
  expect((await screen.findByRole('status')).textContent).toBe('Nothing here')
  expect(screen.queryByRole('listbox')).toBeNull()
  rerender(<Choice aria-label="kind" options={options(4)} />)
  expect(within(await screen.findByRole('listbox')).getAllByRole('option')).toHaveLength(4)
})

it('a tree in place of the list holds no option that the box could lead to', async () => {
  const tree = () => <div role="tree">Departments</div>
  render(<Choice aria-label="kind" options={options(3)} popupRender={tree} />)
  open()
  await screen.findByRole('tree')
  await waitFor(() => expect(box().hasAttribute('aria-activedescendant')).toBe(false))
})

it('of a very long list only what is seen is drawn', async () => {
  render(<Choice aria-label="kind" options={options(2000)} />)
  open()
  await screen.findByRole('listbox')
  expect(document.querySelectorAll('.ant-select-item-option').length).toBeLessThan(200)
})
