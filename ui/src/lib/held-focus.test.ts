import { afterEach, beforeEach, expect, it } from 'vitest'
import { holdFocus } from './held-focus'

let stop = () => {}
beforeEach(() => {
  document.body.innerHTML = `<main id="content" tabindex="-1">
    <ul><li><button id="a">a</button></li><li><button id="b">b</button></li></ul>
    <section><button id="save">save</button><input id="box"><button id="close">close</button></section>
  </main>`
  stop = holdFocus()
})
afterEach(() => stop())

const find = (id: string) => document.getElementById(id) as HTMLButtonElement
const now = () => document.activeElement?.id
/** All that could move the focus has had its turn. */
const turned = () =>
  new Promise((go) => setTimeout(() => requestAnimationFrame(() => setTimeout(() => setTimeout(go)))))

it('goes to the control nearest in what is left when its own is removed', async () => {
  find('a').focus()
  find('a').closest('li')?.remove()
  expect(document.activeElement).toBe(document.body)
  await turned()
  expect(now()).toBe('b')
})

it('goes to the same control when it is drawn again', async () => {
  find('close').focus()
  find('close').replaceWith(Object.assign(document.createElement('button'), { id: 'close', textContent: 'close' }))
  await turned()
  expect(now()).toBe('close')
})

it('waits around a button that is disabled, presses nothing beside it, and goes back to it', async () => {
  find('save').focus()
  find('save').disabled = true
  await turned()
  expect(now()).toBe('content')
  find('save').disabled = false
  await turned()
  expect(now()).toBe('save')
})

it('enters no box, where a keyboard would rise, when a button is removed', async () => {
  find('save').focus()
  find('save').remove()
  await turned()
  expect(now()).toBe('close')
})

it('goes to the page when all around is gone', async () => {
  find('a').focus()
  for (const child of [...find('content').children]) child.remove()
  await turned()
  expect(now()).toBe('content')
})

it('stays where something else has put it, and off what a person pressed beside', async () => {
  find('a').focus()
  find('a').remove()
  find('close').focus()
  await turned()
  expect(now()).toBe('close')
  find('close').blur()
  await turned()
  expect(document.activeElement).toBe(document.body)
})

it('goes back to what opened a menu when an entry closes it', async () => {
  const menu = Object.assign(document.createElement('div'), { className: 'ant-dropdown' })
  menu.innerHTML = '<a href="/x" id="entry">x</a>'
  document.body.append(menu)
  find('b').focus()
  find('entry').focus()
  menu.remove()
  await turned()
  expect(now()).toBe('b')
})
