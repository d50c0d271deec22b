import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test } from 'vitest'
import { lazyModule } from './part'

const Page = () => <p>page</p>
const shown = (Drawn: ReturnType<ReturnType<typeof lazyModule<{ Page: typeof Page }>>['draw']>) =>
  render(
    <Suspense fallback={<p>wait</p>}>
      <Drawn />
    </Suspense>,
  )

test('a part that was read is drawn at once, any other after its fallback', async () => {
  const read = lazyModule(async () => ({ Page }))
  await read.read()
  shown(read.draw((module) => module.Page))
  expect(screen.getByText('page')).toBeTruthy()

  const late = lazyModule(async () => ({ Page: () => <p>late</p> }))
  shown(late.draw((module) => module.Page))
  expect(screen.getByText('wait')).toBeTruthy()
  expect(await screen.findByText('late')).toBeTruthy()
})
