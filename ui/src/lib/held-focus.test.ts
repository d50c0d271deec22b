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

/** Puts controls where a page would have them; jsdom has no places. */
function placed(tops: Record<string, number>) {
  for (const [id, top] of Object.entries(tops)) find(id).getBoundingClientRect = () => new DOMRect(0, top, 100, 20)
}

it('goes to the nearest control, not to the first', async () => {
  find('content').innerHTML = `<section>
    <button id="far">x</button><button id="near">y</button><button id="gone">z</button>
  </section>`
  placed({ far: 500, near: 120, gone: 100 })
  find('gone').focus()
  find('gone').remove()
  await turned()
  expect(now()).toBe('near')
})

it('goes to the nearest of several controls of the same name', async () => {
  find('content').innerHTML = '<ul><li><button>Remove</button></li><li><button>Remove</button></li><li></li></ul>'
  const [first, second] = document.querySelectorAll('button') as unknown as [HTMLElement, HTMLElement]
  const gone = Object.assign(document.createElement('button'), { textContent: 'Remove' })
  document.querySelectorAll('li')[2]?.append(gone)
  for (const [at, top] of [first, second, gone].entries()) {
    top.getBoundingClientRect = () => new DOMRect(0, at * 40, 100, 20)
  }
  gone.focus()
  gone.closest('li')?.remove()
  await turned()
  expect(document.activeElement).toBe(second)
})

it('takes no box for another because neither has a name', async () => {
  find('content').innerHTML = '<section><input><input class="near"><input class="gone"></section>'
  const boxes = [...document.querySelectorAll('input')]
  for (const [at, box] of boxes.entries()) box.getBoundingClientRect = () => new DOMRect(0, at * 40, 100, 20)
  boxes[2]?.focus()
  boxes[2]?.remove()
  await turned()
  expect(document.activeElement).toBe(boxes[1])
})

it('leaves what is hidden', async () => {
  find('a').focus()
  ;(find('a').closest('li') as HTMLElement).hidden = true
  await turned()
  expect(now()).toBe('b')
})

it('stays in the dialog around when one above it closes and its opener is gone', async () => {
  document.body.insertAdjacentHTML(
    'beforeend',
    `<div tabindex="-1" id="outer"><div role="dialog" aria-modal="true"><button id="opener">x</button></div></div>
     <div tabindex="-1" id="inner"><div role="dialog" aria-modal="true"><button id="yes">x</button></div></div>`,
  )
  find('opener').remove()
  find('yes').focus()
  find('inner').remove()
  await turned()
  expect(now()).toBe('outer')
})

/** Whether the browser would press what has the focus. */
const down = (key: string, repeat: boolean) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true }))

it('presses nothing with a key that was held before the focus came', async () => {
  find('content').innerHTML = '<ul><li><button>Remove</button></li><li><button>Remove</button></li></ul>'
  const [first, second] = document.querySelectorAll('button') as unknown as [HTMLElement, HTMLElement]
  first.focus()
  expect(down('Enter', false)).toBe(true)
  expect(down('Enter', true)).toBe(true)
  first.closest('li')?.remove()
  await turned()
  expect(document.activeElement).toBe(second)
  expect(down('Enter', true)).toBe(false)
  expect(down(' ', true)).toBe(false)
  expect(down('Tab', true)).toBe(true)
  expect(down('Enter', false)).toBe(true)
  expect(down('Enter', true)).toBe(true)
})

it('saves once while the key is held, when the answer comes and gives the button back', async () => {
  find('save').focus()
  expect(down('Enter', false)).toBe(true)
  find('save').disabled = true
  await turned()
  find('save').disabled = false
  await turned()
  expect(now()).toBe('save')
  expect(down('Enter', true)).toBe(false)
  expect(down('Enter', false)).toBe(true)
})
