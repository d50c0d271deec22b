import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { codePath, Drawing, type PrintMark, strokeOf } from './marks'

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

function draw(...marks: PrintMark[]) {
  const page = { width: 210, height: 297, marks }
  const { container } = render(<Drawing page={page} images={{ logo: PIXEL }} family="paper-7" />)
  const svg = container.querySelector('svg') as SVGSVGElement
  const found = (name: string) => svg.querySelector(name) as SVGElement
  const of = (name: string) =>
    Object.fromEntries([...found(name).attributes].map(({ name: key, value }) => [key, value]))
  return { svg, of, found }
}

describe('marks on paper', () => {
  afterEach(cleanup)

  it('are in millimeters, in the font of the answer', () => {
    const { svg } = draw()
    expect(svg.getAttribute('viewBox')).toBe('0 0 210 297')
    expect(svg.getAttribute('font-family')).toBe('paper-7, sans-serif')
  })

  it('texts are as long as the server measured', () => {
    const { of, found } = draw({
      type: 'text',
      x: 17,
      y: 31.5,
      width: 42.25,
      size: 3.7,
      text: '左侧  闸墙',
      color: '#1b2430',
    })
    expect(of('text')).toEqual({
      x: '17',
      y: '31.5',
      'font-size': '3.7',
      fill: '#1b2430',
      textLength: '42.25',
      lengthAdjust: 'spacingAndGlyphs',
    })
    expect(found('text').textContent).toBe('左侧  闸墙')
  })

  it('bold is an outline, italic a lean, and a line is below', () => {
    const { of } = draw({
      type: 'text',
      x: 10,
      y: 20,
      width: 30,
      size: 3.6,
      text: 'ab',
      color: '#ff0000',
      bold: true,
      italic: true,
      underline: true,
    })
    expect(of('text')).toMatchObject({
      stroke: '#ff0000',
      'stroke-width': '0.1',
      transform: 'translate(10 20) skewX(-12)',
    })
    expect(of('text')).not.toHaveProperty('x')
    expect(of('path')).toMatchObject({ d: 'M10 20.4h30', stroke: '#ff0000', 'stroke-width': '0.2' })
  })

  it('dashes are those of the PDF', () => {
    const pen = (kind: 'solid' | 'dashed' | 'dotted', width: number) =>
      strokeOf({ width, color: '#000000', kind }).strokeDasharray
    expect(pen('solid', 0.3)).toBeUndefined()
    expect(pen('dashed', 0.1)).toBe('1 0.6')
    expect(pen('dashed', 0.5)).toBe('2 1')
    expect(pen('dotted', 0.1)).toBe('0.2 0.5')
    expect(pen('dotted', 0.5)).toBe('0.5 1')
  })

  it('a box over two sheets has no edge between them', () => {
    const stroke = { width: 0.2, color: '#000000', kind: 'solid' } as const
    const box = { type: 'box', x: 17, y: 20, width: 100, height: 40, stroke } as const
    expect(draw({ ...box, fill: '#f3f5f8' }).of('rect')).toMatchObject({ fill: '#f3f5f8', 'stroke-width': '0.2' })
    cleanup()
    expect(draw({ ...box, openBottom: true }).of('path').d).toBe('M17 20v40M117 20v40M17 20h100')
    cleanup()
    expect(draw({ ...box, openTop: true }).of('path').d).toBe('M17 20v40M117 20v40M17 60h100')
  })

  it('pictures are cut, and a missing one leaves its place empty', () => {
    const image = { type: 'image', x: 0, y: 0, width: 60, height: 40, ref: 'logo' } as const
    const { of } = draw({ ...image, clip: [10, 5, 20, 10] })
    expect(of('svg')).toMatchObject({ x: '10', y: '5', width: '20', height: '10', viewBox: '10 5 20 10' })
    expect(of('image')).toMatchObject({ href: PIXEL, width: '60', preserveAspectRatio: 'none' })
    cleanup()
    expect(draw({ ...image, ref: 'gone' }).svg.childNodes).toHaveLength(0)
  })

  it('a code is one outline of its dark runs', () => {
    const mark: PrintMark = { type: 'code', x: 10, y: 20, width: 4, height: 2, rows: ['1101', '0010'] }
    expect(codePath(['1101', '0010'], mark)).toBe('M10 20h2v1h-2zM13 20h1v1h-1zM12 21h1v1h-1z')
    expect(draw(mark).of('path')).toMatchObject({ 'shape-rendering': 'crispEdges', fill: '#000000' })
  })
})
