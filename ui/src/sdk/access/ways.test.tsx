import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { nameOf, partyOf, wayOf } from '@/testing/ways'
import type { Party } from './api'
import { AccessWays } from './ways'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
})
afterEach(cleanup)

const field = (code: string, zh: string, after: 'r' | 'rw') => ({ ...nameOf(code, zh), before: '-' as const, after })

describe('what a publication opens besides roles', () => {
  it('is nothing where there is nothing to tell', () => {
    const { container } = render(
      <>
        <AccessWays ways={[]} />
        <AccessWays ways={undefined} />
      </>,
    )
    expect(container.textContent).toBe('')
  })

  it('names the node, its people and the fields in both languages', async () => {
    await setLocale('zh')
    const way = wayOf({ fields: [field('amount', '金额', 'r'), field('lines.rate', '明细 / 单价', 'rw')] })
    const { rerender } = render(<AccessWays ways={[way]} />)
    const told = () => screen.getByRole('region').textContent
    expect(told()).toContain('流程“合同审批”的节点“审核”')
    expect(told()).toContain('都能看到“合同”的记录：角色“经理”')
    expect(told()).toContain('可查看：金额')
    expect(told()).toContain('可填写：明细 / 单价')
    await setLocale('en')
    rerender(<AccessWays ways={[wayOf()]} />)
    expect(told()).toContain('Step Check of the workflow Contract approval')
    expect(told()).toContain('whatever their roles are:the role Manager')
    expect(told()).toContain('Can see: Amount')
  })

  it('keeps many fields behind a press', async () => {
    await setLocale('en')
    const fields = Array.from({ length: 30 }, (_, i) => field(`f${i}`, `字段${i}`, 'r'))
    render(<AccessWays ways={[wayOf({ fields })]} />)
    expect(screen.getByText('Can see 30 fields').closest('details')?.open).toBe(false)
  })

  it('names the role of a public page, and the rows of data with the roles that they give', async () => {
    await setLocale('zh')
    const page = wayOf({
      kind: 'page',
      code: 'open',
      label: { zh: '公示' },
      people: [],
      roles: [nameOf('guest', '访客')],
    })
    const rows = partyOf('row', { names: [nameOf('mole', 'mole'), nameOf('rat', 'rat')] })
    const data = wayOf({
      kind: 'data',
      label: { zh: '人员' },
      people: [rows],
      roles: [nameOf('administrator', '管理员')],
    })
    render(<AccessWays ways={[page, data]} />)
    const told = screen.getByRole('region').textContent
    expect(told).toContain('公开页面“公示”无需登录即可打开，显示角色“访客”可见的数据')
    expect(told).toContain('应用自带的数据（人员）授予 mole、rat 角色“管理员”')
  })

  const boss = { names: [nameOf('boss', '经理', 'Manager')] }
  it.each<[Party, string, string]>([
    [
      partyOf('role', { ...boss, of: 'byDept', field: nameOf('dept', '承办部门', 'Department') }),
      '角色“经理”（限“承办部门”的部门）',
      'the role Manager (of the department in Department)',
    ],
    [
      partyOf('role', { ...boss, except: [partyOf('initiator')] }),
      '角色“经理”（发起人除外）',
      'the role Manager (except the initiator)',
    ],
    [partyOf('person', { names: [nameOf('u7', '李四')] }), '：李四', ':李四'],
    [
      partyOf('dept', { names: [nameOf('d1', '质检部')], below: true }),
      '部门“质检部”及其下级部门的成员',
      'members of 质检部 and of the departments below',
    ],
    [partyOf('field', { names: [nameOf('owner', '负责人', 'Owner')] }), '表单“负责人”中的人员', 'the people in Owner'],
    [
      partyOf('deptLeader', { of: 'initiator', levels: 2 }),
      '发起人的第 2 级部门负责人',
      'the level 2 department leader of the initiator',
    ],
    [
      partyOf('superiors', { of: 'previous', levels: 3, until: nameOf('boss', '经理', 'Manager') }),
      '上一处理人的逐级上级（最多 3 级），直到角色“经理”',
      'superiors of the previous person, up to 3 levels and the role Manager',
    ],
    [
      partyOf('superiors', { of: 'field', field: nameOf('owner', '负责人', 'Owner') }),
      '“负责人”的逐级上级',
      'all superiors of Owner',
    ],
    [
      partyOf('previousHandler', { names: [nameOf('fill', '填报', 'Fill in')] }),
      '节点“填报”的处理人',
      'the people who handled the step Fill in',
    ],
    [partyOf('initiatorChoice'), '发起人选择的任何人', 'anyone the initiator chooses'],
    [
      partyOf('previousChoice', { among: [partyOf('role', boss)] }),
      '上一处理人从角色“经理”中选择的人',
      'whom the previous person chooses among the role Manager',
    ],
    [
      partyOf('expression', { text: 'manager(owner)' }),
      '表达式 manager(owner) 得出的人员',
      'the people that manager(owner) gives',
    ],
    [partyOf('group', { names: [nameOf('g', 'g')] }), '自定义部门“g”的成员', 'members of the group g'],
    [partyOf('projectMember', { names: [nameOf('p', 'p')] }), '项目成员“p”', 'project members p'],
  ])('says who: %#', async (party, zh, en) => {
    for (const [locale, words] of [
      ['zh', zh],
      ['en', en],
    ] as const) {
      await setLocale(locale)
      render(<AccessWays ways={[wayOf({ people: [party] })]} />)
      expect(screen.getByRole('region').textContent).toContain(words)
      cleanup()
    }
  })
})
