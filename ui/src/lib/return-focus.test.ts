import { afterEach, describe, expect, it } from 'vitest'
import { keepFocus, MENU_SHEET } from './return-focus'

const put = (html: string) => {
  document.body.innerHTML = html
  return (id: string) => document.getElementById(id) as HTMLElement
}

afterEach(() => {
  document.body.innerHTML = ''
})

describe('keepFocus', () => {
  it('returns to the place', () => {
    const at = put('<div id="cell" tabindex="-1"></div><button id="other" type="button"></button>')
    at('cell').focus()
    const back = keepFocus()
    at('other').focus()
    at('other').remove()
    back()
    expect(document.activeElement).toBe(at('cell'))
  })

  it('returns to what stands around a place that was drawn anew', () => {
    const at = put('<div id="cell" tabindex="-1"><span id="box"><a id="link" href="/x">x</a></span></div>')
    at('link').focus()
    const back = keepFocus()
    at('box').innerHTML = '<a id="link" href="/x">x</a>'
    back()
    expect(document.activeElement).toBe(at('cell'))
  })

  it('leaves the focus where somebody has put it since', () => {
    const at = put('<div id="cell" tabindex="-1"></div><button id="other" type="button"></button>')
    at('cell').focus()
    const back = keepFocus()
    at('other').focus()
    back()
    expect(document.activeElement).toBe(at('other'))
  })

  it('returns from an entry of a menu to what opened the menu', () => {
    const at = put(
      '<button id="more" type="button"></button><div class="ant-dropdown"><ul id="menu" tabindex="0"></ul></div>',
    )
    at('more').focus()
    at('menu').focus()
    const back = keepFocus()
    at('menu').blur()
    back()
    expect(document.activeElement).toBe(at('more'))
    at('menu').focus()
    at('menu').remove()
    keepFocus()()
    expect(document.activeElement).toBe(at('more'))
  })

  it('returns from an entry of a sheet of actions to what opened the sheet', () => {
    const at = put(
      `<button id="more" type="button"></button><div id="sheet" class="${MENU_SHEET}" tabindex="-1"><button id="entry" type="button"></button></div>`,
    )
    at('more').focus()
    at('sheet').focus()
    at('entry').focus()
    const back = keepFocus()
    at('sheet').remove()
    back()
    expect(document.activeElement).toBe(at('more'))
  })
})
