import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Badge } from './badge'

afterEach(cleanup)

const hue = (name: string) => {
  const { container } = render(<Badge code="shiplock" name={name} icon="" color="" />)
  return container.querySelector('[data-hue]')?.getAttribute('data-hue')
}

it('has one color in both languages', () => {
  expect(hue('Ship lock')).toBe(hue('船闸工程'))
  expect(hue('')).toBe(hue('船闸工程'))
})
