import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { MenuHandle } from './menu-handle'
import { useMenuStore } from './menu-store'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
})
beforeEach(() => {
  window.innerWidth = 1200
  useMenuStore.setState({ width: 250 })
})

it('makes the menu of workflows wider, from 200 pixels to a third of the window, and the other not', () => {
  render(<MenuHandle mode="workflow" />)
  const edge = screen.getByRole('separator')
  expect([edge.ariaValueNow, edge.ariaValueMin, edge.ariaValueMax].map(Number)).toEqual([200, 200, 400])
  edge.setPointerCapture = () => {}
  const move = (clientX: number) => fireEvent(edge, new MouseEvent('pointermove', { clientX, bubbles: true }))
  move(300)
  expect(useMenuStore.getState().workflowWidth).toBeUndefined()
  fireEvent(edge, new MouseEvent('pointerdown', { clientX: 200, bubbles: true }))
  for (const [to, width] of [
    [300, 300],
    [900, 400],
    [10, 200],
  ] as const) {
    move(to)
    expect(useMenuStore.getState().workflowWidth).toBe(width)
  }
  fireEvent.keyDown(edge, { key: 'ArrowRight' })
  expect(useMenuStore.getState().workflowWidth).toBe(216)
  expect(useMenuStore.getState().width).toBe(250)
})
