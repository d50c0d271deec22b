import { useOpenRecord } from '@sluice/sdk'
import { Button, Dropdown } from 'antd'
import { codes } from '../codes'
import type { QbsNode } from '../shared/api'
import { type DueItem, type DueList, kindText } from '../shared/due'
import look from '../shared/look.module.css'
import { texts } from '../texts'

interface Props {
  node: Pick<QbsNode, 'id' | 'title'>
  due: DueList
}

const SIGNS: Record<string, string> = { OK: '✓', NOT_OK: '✗', NA: '–', none: '' }

/** Opens the form of a change, which asks for its reason and takes files; an item that is named is in it already. */
function useChange(node: Props['node']) {
  const openRecord = useOpenRecord()
  return (effect: string, item?: DueItem) =>
    openRecord({
      schemaCode: codes.dueChange,
      relation: { propertyCode: codes.qbsId, id: node.id },
      given: {
        [codes.what]: 'ITEM',
        [codes.effect]: effect,
        ...(item ? { [codes.itemId]: { id: item.itemId, name: item.name } } : {}),
      },
    })
}

/** The check items that are due, main ones first, with who has judged each. */
export function DueItems({ node, due }: Props) {
  const t = texts.useText()
  const change = useChange(node)
  if (due.items.length === 0 && !due.may.change) return null
  const groups = [
    { key: 'MAIN', items: due.items.filter(({ itemClass }) => itemClass === 'MAIN') },
    { key: 'GENERAL', items: due.items.filter(({ itemClass }) => itemClass !== 'MAIN') },
  ].filter(({ items }) => items.length > 0)
  return (
    <>
      <h4 className={look.heading}>{t('due.items')}</h4>
      {groups.map(({ key, items }) => (
        <section key={key} aria-label={t(`itemClass.${key}` as never)}>
          <p className={look.faint}>{t(`itemClass.${key}` as never)}</p>
          {items.map((item) => (
            <ItemLine key={item.itemId} item={item} due={due} onChange={change} />
          ))}
        </section>
      ))}
      {due.may.change && (
        <Button size="small" onClick={() => change('ADD')}>
          {t('due.changeAdd')}
        </Button>
      )}
    </>
  )
}

/** The kinds of record that judge an item: its own, and each other that already has. */
const kindsOf = (item: DueItem) => [...new Set([item.recordKind, ...Object.keys(item.judged)])]

interface LineProps {
  item: DueItem
  due: DueList
  onChange: (effect: string, item: DueItem) => void
}

function ItemLine({ item, due, onChange }: LineProps) {
  const t = texts.useText()
  return (
    <div className={look.sheet}>
      <span className={look.sheetTitle}>
        {item.name}{' '}
        {item.tolerance && (
          <span className={look.faint}>
            {item.tolerance} {item.unit}
          </span>
        )}{' '}
        {item.designValue !== null && (
          <span className={look.faint}>
            {t('design')} {item.designValue} {item.unit}
          </span>
        )}{' '}
        {item.minPoints > 1 && <span className={look.faint}>{t('due.least', { count: item.minPoints })}</span>}{' '}
        {item.differs && <span className={look.mark}>{t('due.differs')}</span>}
      </span>
      <span className={look.judged}>
        {kindsOf(item).map((kind) => {
          const state = item.judged[kind] ?? 'none'
          return (
            <span key={kind} data-state={state}>
              {SIGNS[state]} {t('due.judgedOf', { kind: kindText(kind), state: t(`due.judged.${state}` as never) })}
            </span>
          )
        })}
      </span>
      {due.may.change && (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: [
              { key: 'CHANGE', label: t('due.changeOther') },
              { key: 'LEAVE_OUT', label: t('due.changeLeaveOut') },
              ...(item.differs ? [{ key: 'RESTORE', label: t('due.changeRestore') }] : []),
            ],
            onClick: ({ key }) => onChange(key, item),
          }}
        >
          <Button size="small" type="text" aria-label={t('due.changeOf', { name: item.name })}>
            {t('due.change')}
          </Button>
        </Dropdown>
      )}
    </div>
  )
}
