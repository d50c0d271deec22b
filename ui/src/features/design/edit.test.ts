import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { idsIn, withDepartment } from './department-ids'
import { type Flow, isFlow, outsOf } from './document'
import {
  addBranch,
  addNode,
  addSplit,
  canRemove,
  clipOf,
  copyBranch,
  emptyFlow,
  endHere,
  moveBranch,
  moveItem,
  paste,
  removeBranch,
  removeItem,
  setDisagree,
  setKind,
  stepPlace,
} from './edit'
import { step } from './shared/history'
import { readJson, setAt, writeJson } from './shared/json'
import { type Lane, spotOf, treeOf } from './tree'

const root = join(__dirname, '../../../../')
const folders = ['examples', 'plugins', 'runtime']
const documents = folders.flatMap((folder) =>
  (readdirSync(join(root, folder), { recursive: true }) as string[])
    .filter((name) => /(^|\/)workflows\/[^/]+\.json$/.test(name))
    .map((name) => join(folder, name)),
)

/** A lane as text: nodes one behind another, branches in brackets. */
function text(lane: Lane): string {
  const items = lane.items.map((item) => {
    const branches = item.branches.map((branch) => text(branch)).join(' | ')
    return item.node.id + (branches ? `(${branches})` : '') + (item.join ? `>${item.join.id}` : '')
  })
  if (lane.end === 'jump') items.push(`→${lane.to}`)
  return items.join(' ')
}
const drawn = (flow: Flow) => text(treeOf(flow).lane)
const ids = (flow: Flow) => flow.nodes.map((node) => node.id).sort()

/** Every way leads to a node that is there, and every node is drawn once. */
function sound(flow: Flow) {
  const known = new Set(flow.nodes.map((node) => node.id))
  expect(known.size).toBe(flow.nodes.length)
  for (const node of flow.nodes)
    for (const edge of outsOf(node)) expect([...known], `${edge.from} → ${edge.to}`).toContain(edge.to)
  expect(treeOf(flow).loose).toEqual([])
}

const place = (flow: Flow, id: string, by = 0) => {
  const spot = spotOf(treeOf(flow), id)
  return spot?.lane.places[spot.at + by] ?? []
}

const base = (): Flow => ({
  schemaCode: 'm',
  note: { keep: [1, { deep: true }] },
  nodes: [
    { id: 'start', type: 'START', name: '发起', next: ['a'], custom: 1 },
    {
      id: 'a',
      type: 'APPROVE',
      name: '甲',
      name_i18n: { en: 'A' },
      participants: [],
      next: ['g'],
      reject: { targets: ['start'] },
    },
    {
      id: 'g',
      type: 'SPLIT',
      kind: 'XOR',
      routes: [
        { to: 'b', when: 'x > 1', name: '大' },
        { to: 'j', default: true },
      ],
    },
    {
      id: 'b',
      type: 'APPROVE',
      name: '乙',
      participants: [],
      reject: { targets: ['a'] },
      next: [{ to: 'j', description: 'x' }],
    },
    { id: 'j', type: 'JOIN', of: 'g', next: ['end'] },
    { id: 'end', type: 'END' },
  ],
})

describe('documents', () => {
  it('are the workflows of the examples and tests', () => expect(documents.length).toBeGreaterThan(2))

  it.each(documents)('%s is read and written without a loss', (name) => {
    const source = readFileSync(join(root, name), 'utf8')
    const flow = readJson(source)
    expect(isFlow(flow)).toBe(true)
    expect(JSON.parse(writeJson(flow))).toEqual(JSON.parse(source))
    const tree = treeOf(flow as Flow)
    expect(tree.loose).toEqual([])
  })

  it.each(documents)('%s gets a step at each place, and loses it again', (name) => {
    const flow = readJson(readFileSync(join(root, name), 'utf8')) as Flow
    const visit = (lane: Lane) => {
      for (const at of lane.places)
        if (at.length > 0) {
          const added = addNode(flow, at, 'APPROVE', { zh: '新', en: 'New' })
          sound(added.flow)
          expect(removeItem(added.flow, added.id)).toEqual(flow)
        }
      for (const item of lane.items) for (const branch of item.branches) visit(branch)
    }
    visit(treeOf(flow).lane)
  })

  it('keep figures that JavaScript would round', () => {
    const source =
      '{"nodes": [{"id": "end", "type": "END", "set": {"a": 123456789012345678901234.50, "b": "1.10", "c": 1.0}}]}'
    expect(writeJson(readJson(source)).replace(/\s/g, '')).toBe(source.replace(/\s/g, ''))
  })

  it('are refused where they cannot be drawn', () => {
    for (const wrong of [
      null,
      [],
      {},
      { nodes: [] },
      { nodes: [{ id: 1, type: 'END' }] },
      { nodes: [{ id: 'a', type: 'X' }] },
      {
        nodes: [
          { id: 'a', type: 'END' },
          { id: 'a', type: 'END' },
        ],
      },
    ])
      expect(isFlow(wrong)).toBe(false)
  })

  it('lose a key that becomes empty, and no other', () => {
    const node = { time: { timeoutMinutes: 5 }, other: 1 }
    expect(setAt(node, ['time', 'timeoutMinutes'], undefined)).toEqual({ other: 1 })
    expect(setAt(node, ['time', 'expectMinutes'], 1)).toEqual({
      time: { timeoutMinutes: 5, expectMinutes: 1 },
      other: 1,
    })
  })
})

describe('trees', () => {
  it('show branches side by side, and what comes behind them', () =>
    expect(drawn(base())).toBe('start a g(b | )>j end'))

  it('show branches without a JOIN, early ends and jumps', () => {
    const flow = base()
    flow.nodes = flow.nodes.filter((node) => node.id !== 'j')
    const free = JSON.parse(JSON.stringify(flow).replaceAll('"j"', '"end"')) as Flow
    expect(drawn(free)).toBe('start a g(b | ) end')
    expect(drawn(setDisagree(base(), 'b', true))).toBe('start a g(b( | end1) | )>j end')
    const past = JSON.parse(
      JSON.stringify(base()).replace('{"to":"j","default":true}', '{"to":"end","default":true}'),
    ) as Flow
    expect(drawn(past)).toBe('start a g(b | →end)>j end')
  })

  it('hold what nothing leads to apart', () => {
    const flow = base()
    flow.nodes.push({ id: 'lost', type: 'FILL', next: ['end'] })
    expect(treeOf(flow).loose.map((node) => node.id)).toEqual(['lost'])
  })
})

describe('changes', () => {
  it('add and remove nodes of a lane and of a branch', () => {
    const flow = base()
    const one = addNode(flow, place(flow, 'b'), 'FILL', { zh: '甲', en: 'A' })
    expect(drawn(one.flow)).toBe('start a g(fill1 b | )>j end')
    expect(one.flow.nodes.find((node) => node.id === 'fill1')).toMatchObject({ name: '甲 2', name_i18n: { en: 'A 2' } })
    expect(removeItem(one.flow, 'fill1')).toEqual(flow)
    expect(drawn(removeItem(flow, 'a'))).toBe('start g(b | )>j end')
    expect(canRemove(flow, 'start') || canRemove(flow, 'end')).toBe(false)
  })

  it('remove branching with what is inside', () => {
    expect(drawn(removeItem(base(), 'g'))).toBe('start a end')
    expect(ids(removeItem(base(), 'g'))).toEqual(['a', 'end', 'start'])
  })

  it('add branching of each kind', () => {
    for (const kind of ['XOR', 'OR', 'AND'] as const) {
      const flow = base()
      const { flow: next, id } = addSplit(flow, place(flow, 'a'), kind)
      sound(next)
      expect(drawn(next)).toBe('start split1( | )>join1 a g(b | )>j end')
      expect(removeItem(next, id)).toEqual(flow)
    }
  })

  it('end a branch early, and lead it on again', () => {
    const flow = base()
    const { flow: ended, id } = endHere(flow, place(flow, 'b', 1))
    expect(drawn(ended)).toBe('start a g(b end1 | )>j end')
    const back = removeItem(ended, id)
    expect(drawn(back)).toBe('start a g(b | )>j end')
    expect(back.nodes.find((node) => node.id === 'b')?.next).toEqual([{ to: 'j', description: 'x' }])
  })

  it('add, copy, order and remove branches', () => {
    const more = addBranch(base(), 'g')
    expect(drawn(more)).toBe('start a g(b |  | )>j end')
    expect(more.nodes[2]?.routes?.at(-1)).toMatchObject({ default: true })
    const copied = copyBranch(base(), 'g', 0)
    sound(copied)
    expect(drawn(copied)).toBe('start a g(b | approve1 | )>j end')
    expect(copied.nodes.find((node) => node.id === 'approve1')).toMatchObject({
      name: '乙 2',
      reject: { targets: ['a'] },
    })
    expect(drawn(moveBranch(base(), 'g', 0, 1))).toBe('start a g( | b)>j end')
    expect(drawn(removeBranch(base(), 'g', 1))).toBe('start a b end')
    expect(drawn(removeBranch(base(), 'g', 0))).toBe('start a end')
    for (const flow of [more, removeBranch(base(), 'g', 1), removeBranch(base(), 'g', 0)]) sound(flow)
  })

  it('copy a node without the ids that it had before', () => {
    const flow = base()
    flow.nodes = flow.nodes.map((node) => (node.id === 'b' ? { ...node, renamedFrom: 'review' } : node))
    const copied = copyBranch(flow, 'g', 0)
    expect(copied.nodes.filter((node) => 'renamedFrom' in node).map((node) => node.id)).toEqual(['b'])
    expect(moveBranch(flow, 'g', 0, 1).nodes.find((node) => node.id === 'b')).toMatchObject({ renamedFrom: 'review' })
  })

  it('keep the order of routes that name it', () => {
    const flow = base()
    flow.nodes = flow.nodes.map((node) =>
      node.id === 'g'
        ? {
            ...node,
            routes: [
              { to: 'b', when: 'x', order: 5 },
              { to: 'j', default: true, order: 9 },
            ],
          }
        : node,
    )
    expect(moveBranch(flow, 'g', 0, 1).nodes[2]?.routes).toEqual([
      { to: 'j', default: true, order: 1 },
      { to: 'b', when: 'x', order: 2 },
    ])
  })

  it('copy a part with new ids and names', () => {
    const flow = base()
    const clip = clipOf(flow, 'g')
    if (!clip) throw new Error('nothing was copied')
    const { flow: next } = paste(flow, place(flow, 'a'), clip)
    sound(next)
    expect(drawn(next)).toBe('start split1(approve1 | )>join1 a g(b | )>j end')
    expect(next.nodes.find((node) => node.id === 'join1')?.of).toBe('split1')
  })

  it('move nodes within a lane, into a branch, and whole branchings', () => {
    const flow = base()
    const down = stepPlace(flow, 'a', 1) ?? []
    expect(drawn(moveItem(flow, 'a', down).flow)).toBe('start g(b | )>j a end')
    expect(drawn(moveItem(flow, 'g', stepPlace(flow, 'g', -1) ?? []).flow)).toBe('start g(b | )>j a end')
    const inside = spotOf(treeOf(flow), 'g')?.item.branches[1]?.places[0] ?? []
    expect(drawn(moveItem(flow, 'a', inside).flow)).toBe('start g(b | a)>j end')
    expect(moveItem(flow, 'g', inside).flow).toBe(flow)
    sound(moveItem(flow, 'a', inside).flow)
  })

  it('give disagreement a way of its own, and take it back', () => {
    const flow = base()
    const own = setDisagree(flow, 'a', true)
    sound(own)
    expect(drawn(own)).toBe('start a(g(b | )>j end | end1)')
    expect(setDisagree(own, 'a', false)).toEqual(flow)
  })

  it('change the kind of branching with its routes', () => {
    const and = setKind(base(), 'g', 'AND')
    expect(and.nodes[2]?.routes).toEqual([{ to: 'b', name: '大' }, 'j'])
    expect(setKind(and, 'g', 'XOR').nodes[2]?.routes).toEqual([
      { to: 'b', name: '大', when: '' },
      { to: 'j', default: true },
    ])
  })

  it('begin with a start and an end', () =>
    expect(drawn(emptyFlow('m', { zh: 'x', en: '' }, { zh: '发起', en: 'Start' }))).toBe('start end'))

  it('keep what they do not know', () => {
    const flow = base()
    for (const next of [
      addBranch(flow, 'g'),
      removeItem(flow, 'a'),
      moveBranch(flow, 'g', 0, 1),
      addNode(flow, place(flow, 'a'), 'WAIT').flow,
    ]) {
      expect(next.note).toEqual({ keep: [1, { deep: true }] })
      expect(next.nodes[0]).toMatchObject({ custom: 1 })
    }
  })
})

describe('undo', () => {
  it('goes back and forth, and joins what is typed at one place', () => {
    let state = step({ past: [], now: 0, future: [], of: null, at: 0 } as Parameters<typeof step<number>>[0], {
      do: 'set',
      value: 1,
      of: 'name',
      at: 10_000,
    })
    state = step(state, { do: 'set', value: 2, of: 'name', at: 10_500 })
    state = step(state, { do: 'set', value: 3, of: 'other', at: 10_600 })
    expect(state.past).toEqual([0, 2])
    state = step(step(state, { do: 'undo' }), { do: 'undo' })
    expect(state.now).toBe(0)
    state = step(step(state, { do: 'redo' }), { do: 'redo' })
    expect([state.now, state.future]).toEqual([3, []])
    expect(step(step(state, { do: 'undo' }), { do: 'set', value: 9, of: null, at: 1 }).future).toEqual([])
  })
})

it('a department is put into a condition, into the list of belongs where there is one', () => {
  const [a, b] = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222']
  expect(withDepartment('', a)).toBe(`has(initiator.allDepartments, '${a}')`)
  expect(withDepartment('amount > 1 ', a)).toBe(`amount > 1 and has(initiator.allDepartments, '${a}')`)
  expect(withDepartment('belongs(unit, [])', a)).toBe(`belongs(unit, ['${a}'])`)
  const both = withDepartment(`belongs(unit, ['${a}']) and amount > 1`, b)
  expect(both).toBe(`belongs(unit, ['${a}', '${b}']) and amount > 1`)
  expect(idsIn(`${both} and name == 'x' and has(initiator.allDepartments, '${a}')`)).toEqual([a, b])
})
