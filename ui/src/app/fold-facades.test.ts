import { expect, it } from 'vitest'
import { facadeOf, folded } from '../../scripts/fold-facades.mjs'

it('knows a file that only passes names on', () => {
  expect(facadeOf('export{r as ListPage,t}from"./list-K1.js";\n')).toEqual({
    target: 'list-K1.js',
    names: [
      { from: 'r', as: 'ListPage' },
      { from: 't', as: 't' },
    ],
  })
  for (const more of [
    'import"./a.js";export{r}from"./list-K1.js";',
    'var e=1;export{e as r};',
    'export*from"./list-K1.js";',
    'export{r as "a-b"}from"./list-K1.js";',
  ])
    expect(facadeOf(more), more).toBeNull()
})

it('leads late imports and lists of what is read ahead to the file itself, and keeps what others need at once', () => {
  const files = new Map([
    ['start-A.js', 'const m=["assets/list-page-B.js","assets/list-C.js"];f(()=>import(`./list-page-B.js`),m([0,1]))'],
    ['list-page-B.js', 'export{r as ListPage}from"./list-C.js";'],
    ['kept-D.js', 'export{r as Kept}from"./list-C.js";'],
    ['list-C.js', 'import{t as e}from"./other-E.js";export{e as r}'],
    ['other-E.js', 'import{Kept as k}from"./kept-D.js";import("./kept-D.js");export{k as t}'],
    ['index.html', '<script data-list="/assets/list-page-B.js /assets/list-C.js">'],
  ])
  const after = folded(files)
  expect([...after.keys()]).toEqual(['start-A.js', 'kept-D.js', 'list-C.js', 'other-E.js', 'index.html'])
  expect(after.get('start-A.js')).toBe(
    'const m=["assets/list-C.js","assets/list-C.js"];f(()=>import(`./list-C.js`).then(e=>({ListPage:e.r})),m([0,1]))',
  )
  expect(after.get('other-E.js')).toBe(files.get('other-E.js'))
  expect(after.get('index.html')).toBe('<script data-list="/assets/list-C.js /assets/list-C.js">')
})
