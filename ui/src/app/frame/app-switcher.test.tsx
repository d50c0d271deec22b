import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, useLocation } from 'react-router'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { AppSwitcher } from './app-switcher'

const app = (code: string, name: string) => ({
  code,
  name,
  name_i18n: { en: name },
  icon: null,
  color: null,
  group: null,
  group_i18n: {},
})

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('en')
})
beforeEach(() => fakeServer({ '/api/app/apppackage/list': [app('lock', 'Ship lock'), app('dike', 'Dike')] }))

function Address() {
  return <output>{useLocation().pathname}</output>
}

async function draw() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter initialEntries={['/application/lock']}>
          <AppSwitcher appCode="lock" />
          <Address />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  return screen.findByRole('button', { name: /Ship lock/ })
}

it('the first press opens the menu when it has come, on the button that was pressed', async () => {
  const button = await draw()
  fireEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  await screen.findByRole('menuitem', { name: /Dike/ })
  expect(screen.getByRole('button', { name: /Ship lock/ })).toBe(button)
  fireEvent.click(screen.getByRole('menuitem', { name: /Dike/ }))
  expect(screen.getByRole('status').textContent).toBe('/application/dike')
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

it('a second press, a press beside it and Escape close the menu', async () => {
  const button = await draw()
  const open = () => button.getAttribute('aria-expanded') === 'true'
  const press = (at: Element) => {
    fireEvent.mouseDown(at)
    fireEvent.click(at)
  }
  press(button)
  await screen.findByRole('menuitem', { name: /Dike/ })
  press(button)
  expect(open()).toBe(false)
  press(button)
  expect(open()).toBe(true)
  await act(async () => press(document.body))
  await waitFor(() => expect(open()).toBe(false))
  press(button)
  button.focus()
  await act(async () => {
    fireEvent.keyDown(window, { key: 'Escape', keyCode: 27 })
  })
  await waitFor(() => expect(open()).toBe(false))
  expect(document.activeElement).toBe(button)
})
