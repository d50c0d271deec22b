import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { AppBadge } from './app-badge'

afterEach(cleanup)

const hue = (name: string) => {
  const { container } = render(<AppBadge code="shiplock" name={name} icon="" color="" />)
  return container.querySelector('[data-hue]')?.getAttribute('data-hue')
}

it('has one color in both languages', () => {
  expect(hue('Ship lock')).toBe(hue('船闸工程'))
  expect(hue('')).toBe(hue('船闸工程'))
})

it('has the color and the icon of the application, and its logo before them', () => {
  const { container, rerender } = render(<AppBadge code="lock" name="船闸" icon="grid" color="#ff0000" />)
  expect(container.querySelector('span')?.style.background).toBe('rgb(255, 0, 0)')
  expect(container.textContent).toBe('') // its icon, which is loaded when it is first needed
  rerender(<AppBadge code="lock" name="船闸" icon="nothing" color="#ff0000" />)
  expect(container.textContent).toBe('船')
  rerender(<AppBadge code="lock" name="船闸" icon="grid" color="#ff0000" logo="/logo.png" />)
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/logo.png')
})
