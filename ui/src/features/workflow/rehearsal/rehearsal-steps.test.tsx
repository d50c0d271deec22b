import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import type { RehearsedStep } from '../api'
import { person } from '../fixtures'
import { useFlowWords } from '../task/words'
import { Why } from './rehearsal-steps'

const both = (zh: string) => ({ zh, en: zh })
const gets = (name: string, why: string) => ({ person: person(name, name), why: [both(why)], state: 'TODO' })

function Shown({ people, dropped = [] }: { people: unknown[]; dropped?: unknown[] }) {
  const step = { people, dropped, routes: [], sets: [], refused: null } as unknown as RehearsedStep
  return <Why step={step} words={useFlowWords()} />
}

describe('the reasons of a rehearsal', () => {
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    await setLocale('zh')
  })
  beforeEach(() => {
    fakeServer({ '/api/system/config': { timezone: 'Asia/Shanghai' } })
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = (shown: ReactNode) =>
    render(<QueryClientProvider client={new QueryClient()}>{shown}</QueryClientProvider>)
  const lines = () => screen.getAllByRole('listitem').map((line) => line.textContent)

  it('says a reason that several people share once', () => {
    const people = [gets('张三', '角色“审核”'), gets('李四', '角色“审核”'), gets('王五', '上级')]
    draw(<Shown people={people} dropped={[gets('赵六', '已去重'), gets('孙七', '已去重')]} />)
    expect(lines()).toEqual(['张三、李四角色“审核”', '王五上级', '赵六、孙七未得到任务已去重'])
  })

  it('names the first of very many', () => {
    const people = Array.from({ length: 40 }, (_, at) => gets(`人${at + 1}`, '角色“审核”'))
    draw(<Shown people={people} />)
    expect(lines()).toHaveLength(1)
    screen.getByText(/^人1、.*人12 等，另有 28 人$/)
  })
})
