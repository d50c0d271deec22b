import { act, render, screen, waitFor } from '@testing-library/react'
import { Drawer, Modal } from 'antd'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { windowOf } from '@/testing/window-width'
import { useHeldPhone } from './use-held'

afterEach(() => vi.unstubAllGlobals())

const KINDS = { modal: Modal, drawer: Drawer }

/** A page whose dialog belongs to the layout that it was opened in. */
function Page({ kind }: { kind: keyof typeof KINDS }) {
  const phone = useHeldPhone()
  return <Layout key={String(phone)} name={phone ? 'cards' : 'table'} kind={kind} />
}

function Layout({ name, kind }: { name: string; kind: keyof typeof KINDS }) {
  const [open, setOpen] = useState(false)
  const Dialog = KINDS[kind]
  return (
    <>
      <p>{name}</p>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} title="Dialog">
        <input aria-label="Name" />
        <button type="button" onClick={() => setOpen(false)}>
          Done
        </button>
      </Dialog>
    </>
  )
}

test.each(['modal', 'drawer'] as const)('a layout stays as long as a %s is open over it', async (kind) => {
  const resize = windowOf(1024)
  render(<Page kind={kind} />)
  screen.getByText('table')
  resize(390)
  screen.getByText('cards')
  resize(1024)
  act(() => screen.getByText('Open').click())
  const name = (await screen.findByLabelText('Name')) as HTMLInputElement
  name.value = 'typed'
  resize(390)
  resize(800)
  resize(390)
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('typed')
  screen.getByText('table')
  act(() => screen.getByText('Done').click())
  await waitFor(() => screen.getByText('cards'))
})
