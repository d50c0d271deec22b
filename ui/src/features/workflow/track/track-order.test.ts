import { describe, expect, it } from 'vitest'
import type { TrackNode } from '../api'
import { makeNode as node, route } from '../fixtures'
import { trackLines } from './track-order'

const said = (nodes: TrackNode[]) =>
  trackLines(nodes).map((line) => {
    const at = '  '.repeat(line.depth)
    return line.kind === 'node'
      ? `${at}${line.node.activityCode}`
      : `${at}> ${line.to?.activityCode}${line.empty ? ' at once' : ''}`
  })

describe('the course of an instance', () => {
  it('is the order of the flow, whatever the order of the answer', () => {
    expect(said([node('end', 'END', []), node('b', 'APPROVE', ['end']), node('start', 'START', ['b'])])).toEqual([
      'start',
      'b',
      'end',
    ])
  })

  it('has the branches of a split below it, and goes on with its join', () => {
    expect(
      said([
        node('start', 'START', ['g']),
        node('g', 'SPLIT', [], { routes: [route('b'), route('c')] }),
        node('b', 'APPROVE', ['j']),
        node('c', 'APPROVE', ['c2']),
        node('c2', 'APPROVE', ['j']),
        node('j', 'JOIN', ['end'], { of: 'g' }),
        node('end', 'END', []),
      ]),
    ).toEqual(['start', 'g', '  > b', '  b', '  > c', '  c', '  c2', 'j', 'end'])
  })

  it('names a branch that leads on at once, also past the join', () => {
    expect(
      said([
        node('start', 'START', ['g']),
        node('g', 'SPLIT', [], { routes: [route('n2'), route('end')] }),
        node('n2', 'APPROVE', ['j']),
        node('j', 'JOIN', ['end'], { of: 'g' }),
        node('end', 'END', []),
      ]),
    ).toEqual(['start', 'g', '  > n2', '  n2', '  > end at once', 'j', 'end'])
  })

  it('finds where branches meet without a join, and splits within splits', () => {
    expect(
      said([
        node('start', 'START', ['g']),
        node('g', 'SPLIT', ['a', 'h']),
        node('a', 'APPROVE', ['z']),
        node('h', 'SPLIT', ['x', 'y']),
        node('x', 'APPROVE', ['z']),
        node('y', 'APPROVE', ['z']),
        node('z', 'APPROVE', ['end']),
        node('end', 'END', []),
      ]),
    ).toEqual(['start', 'g', '  > a', '  a', '  > h', '  h', '    > x', '    x', '    > y', '    y', 'z', 'end'])
  })

  it('keeps branches that end by themselves, and what nothing leads to', () => {
    expect(
      said([
        node('start', 'START', ['g']),
        node('g', 'SPLIT', ['a', 'e2']),
        node('a', 'APPROVE', ['e1']),
        node('e1', 'END', []),
        node('e2', 'END', []),
        node('lost', 'APPROVE', ['e1']),
      ]),
    ).toEqual(['start', 'g', '  > a', '  a', '  e1', '  > e2', '  e2', 'lost'])
  })
})
