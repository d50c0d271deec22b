import { describe, expect, it } from 'vitest'
import type { PortalStyle } from '@/sdk/portal'
import { boxLook } from './look'

const style: PortalStyle = {
  backgroundColor: null,
  backgroundImg: null,
  backgroundImgSrc: null,
  borderRadius: 'medium',
  borderStyle: 'none',
  borderThickness: 1,
  borderColor: null,
  textColor: null,
  textThickness: 'normal',
}
const look = (more: Partial<PortalStyle>, appearance: 'light' | 'dark' = 'light') =>
  boxLook({ ...style, ...more }, appearance) as Record<string, unknown>

describe('the look of a widget', () => {
  it('follows the theme where its author wrote nothing', () => expect(look({})).toEqual({ borderRadius: 8 }))

  it.each([
    ['none', 0],
    ['small', 4],
    ['medium', 8],
    ['big', 16],
  ] as const)('has %s corners of %d pixels', (borderRadius, pixels) =>
    expect(look({ borderRadius }).borderRadius).toBe(pixels),
  )

  it('has a border only where one was chosen, with its color of light or dark pages', () => {
    expect(look({ borderThickness: 3, borderColor: 'red' }).border).toBeUndefined()
    expect(look({ borderStyle: 'solid' }).border).toBe('1px solid #E4E7EE')
    expect(look({ borderStyle: 'dashed', borderThickness: 3 }, 'dark').border).toBe('3px dashed var(--line)')
    expect(look({ borderStyle: 'solid', borderColor: 'red' }).border).toBe('1px solid red')
    expect(look({ borderStyle: 'solid', borderThickness: -3 }).border).toContain('0px ')
  })

  it('has bold texts, colors and a picture, whose address ends nothing', () => {
    expect(look({ textThickness: 'bold' }).fontWeight).toBe(600)
    expect(look({ textColor: '#123456' })).toMatchObject({ color: '#123456', '--text': '#123456' })
    expect(look({ backgroundImgSrc: '/a?b=")x' }).backgroundImage).toBe('url("/a?b=%22)x")')
  })

  it('turns light texts dark on a light ground of its own', () => {
    expect(look({ backgroundColor: 'rgba(255,255,255,1)' }, 'dark')).toHaveProperty('--text')
    expect(look({ backgroundColor: 'rgba(255,255,255,1)' })).not.toHaveProperty('--text')
  })
})
