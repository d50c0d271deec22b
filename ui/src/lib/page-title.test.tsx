import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { usePageTitle, usePlaceTitle } from './page-title'

function Place({ app }: { app?: string }) {
  usePlaceTitle(app, 'Sluice')
  return null
}
function Page({ name }: { name: string | null }) {
  usePageTitle(name)
  return null
}

describe('the name of a browser tab', () => {
  afterEach(cleanup)

  it('is page, application and product', () => {
    render(
      <>
        <Place app="Ship lock" />
        <Page name="Lots" />
      </>,
    )
    expect(document.title).toBe('Lots - Ship lock - Sluice')
  })

  it('is the record that is open over a list, and the list again', () => {
    const list = (
      <>
        <Place app="Ship lock" />
        <Page name="Lots" />
      </>
    )
    const { rerender } = render(
      <>
        {list}
        <Page name="SL-0412" />
      </>,
    )
    expect(document.title).toBe('SL-0412 - Ship lock - Sluice')
    rerender(list)
    expect(document.title).toBe('Lots - Ship lock - Sluice')
  })

  it('waits for a name that is not known yet', () => {
    const { rerender } = render(
      <>
        <Place />
        <Page name={null} />
      </>,
    )
    expect(document.title).toBe('Sluice')
    rerender(
      <>
        <Place />
        <Page name="Me" />
      </>,
    )
    expect(document.title).toBe('Me - Sluice')
  })
})
