import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { addTexts } from '@/testing/texts'
import { texts } from '../texts'
import { Changes } from './log-part'

beforeAll(async () => {
  await startI18n()
  addTexts(texts)
  await setLocale('en')
})
afterEach(cleanup)

it('tells what changed of a corrective action, in words', () => {
  const before = JSON.stringify({ status: 'OPEN' })
  const after = JSON.stringify({ status: 'FIXED', result: 'Poured again', qbsId: 'x' })
  render(<Changes objectType="q_ncr" before={before} after={after} />)
  screen.getByText('status: Open → Fixed, what was done: Poured again')
})

it('tells of other objects what people write, and not their states', () => {
  const { container } = render(<Changes objectType="q_biz" before="" after={JSON.stringify({ status: 'DRAFT' })} />)
  expect(container.textContent).toBe('')
  render(<Changes objectType="q_qbs" before="" after={JSON.stringify({ concession: true })} />)
  screen.getByText('accepted by concession: Yes')
  render(
    <Changes
      objectType="q_qbs"
      before={JSON.stringify({ concessionBy: ['a'] })}
      after={JSON.stringify({ concessionBy: ['a', 'b'] })}
    />,
  )
  screen.getByText('Sign the concession')
})
