import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer } from '@/testing/fake-server'
import { PersonCard } from './person-card'

const CARD = '/api/organization/user/card'
const full = {
  id: 'u',
  name: '赵启明',
  mobile: '13800001001',
  email: 'zhao@example.com',
  mainDepartment: '质量部',
  departments: ['质量部', '工程部'],
  employeeNo: 'E-17',
  position: '监理',
  role: '检查员',
  relatedType: 'member',
  imgUrl: '/api/files/portrait',
}

function card(answer: Record<string, unknown>) {
  fakeServer({ [CARD]: answer })
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <PersonCard id="u" name="赵启明" />
    </QueryClientProvider>,
  )
}

it('the card of a person has a line for each thing that is known', async () => {
  const { container } = card(full)
  await screen.findByText('13800001001')
  expect(screen.getByRole('dialog', { name: '赵启明' })).toBeTruthy()
  expect([...container.querySelectorAll('dl > div')].map((line) => line.textContent)).toEqual([
    'shell.fields.mobile13800001001',
    'shell.fields.emailzhao@example.com',
    'shell.fields.mainDepartment质量部',
    'shell.fields.departments质量部 / 工程部',
    'shell.fields.employeeNoE-17',
    'shell.fields.position监理',
    'shell.fields.role检查员',
    'shell.fields.relatedTypeshell.relatedTypes.member',
  ])
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/api/files/portrait')
})

it('what the server leaves out has no line', async () => {
  const { container } = card({ id: 'u', name: '赵启明', email: 'zhao@example.com', departments: [] })
  await screen.findByText('zhao@example.com')
  expect(container.querySelectorAll('dl > div')).toHaveLength(1)
})
