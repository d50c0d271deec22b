import { Button, Dropdown, Input, Space, Tag } from 'antd'
import { useState } from 'react'
import type { SavedFilter } from '@/api/types'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './saved-filters.module.css'
import type { useSavedFilters } from './use-saved-filters'

type Saved = ReturnType<typeof useSavedFilters>

/** The filters that may be put on, and a place to keep the present one. */
export function SavedPanel({ saved, close }: { saved: Saved; close: () => void }) {
  const t = useText()
  const [name, setName] = useState('')
  const keep = async () => {
    if (name.trim() && (await saved.add(name.trim()))) setName('')
  }
  const groups = [
    [t('filter.saved.mine'), saved.all.filter((one) => one.mine)],
    [t('filter.saved.shared'), saved.all.filter((one) => !one.mine)],
  ] as const
  return (
    <div className={styles.panel}>
      {saved.all.length === 0 && <p className={styles.hint}>{t('filter.saved.none')}</p>}
      {groups.map(([title, list]) =>
        list.length === 0 ? null : (
          <section key={title}>
            <h3 className={styles.group}>{title}</h3>
            <ul className={styles.list}>
              {list.map((one) => (
                <SavedRow key={one.id} one={one} saved={saved} close={close} />
              ))}
            </ul>
          </section>
        ),
      )}
      {saved.filters.length > 0 && (
        <Space.Compact block>
          <Input
            maxLength={60}
            value={name}
            placeholder={t('filter.saved.name')}
            aria-label={t('filter.saved.name')}
            onChange={(event) => setName(event.target.value)}
            onPressEnter={() => void keep()}
          />
          <Button disabled={!name.trim()} onClick={() => void keep()}>
            {t('filter.saved.save')}
          </Button>
        </Space.Compact>
      )}
    </div>
  )
}

function SavedRow({ one, saved, close }: { one: SavedFilter; saved: Saved; close: () => void }) {
  const t = useText()
  const [renaming, setRenaming] = useState<string | null>(null)
  const rename = async () => {
    const next = renaming?.trim()
    setRenaming(null)
    if (next && next !== one.name) await saved.rename(one, next)
  }
  if (renaming !== null) {
    return (
      <li>
        <Input
          autoFocus
          maxLength={60}
          value={renaming}
          aria-label={t('filter.saved.name')}
          onChange={(event) => setRenaming(event.target.value)}
          onBlur={() => void rename()}
          onPressEnter={() => void rename()}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setRenaming(null)
          }}
        />
      </li>
    )
  }
  return (
    <li className={styles.row} aria-current={one.id === saved.current?.id || undefined}>
      <button
        type="button"
        className={styles.name}
        title={one.lacking ? t('filter.saved.lacking') : one.name}
        onClick={() => {
          saved.apply(one)
          close()
        }}
      >
        <span>{one.name}</span>
        {one.lacking && <Icon name="alert" size={14} />}
      </button>
      {one.mine && one.shared && <Tag>{t('filter.saved.shared')}</Tag>}
      {one.default && <Tag color="blue">{t('filter.saved.isDefault')}</Tag>}
      <Dropdown trigger={['click']} menu={{ items: rowActions(one, saved, t, () => setRenaming(one.name)) }}>
        <Button
          type="text"
          size="small"
          aria-label={t('filter.saved.actions', { name: one.name })}
          icon={<Icon name="more" />}
        />
      </Dropdown>
    </li>
  )
}

/** What the person may do with a filter; the server decides the same. */
function rowActions(one: SavedFilter, saved: Saved, t: ReturnType<typeof useText>, rename: () => void) {
  const all = [
    {
      key: 'default',
      label: one.default ? t('filter.saved.unsetDefault') : t('filter.saved.setDefault'),
      onClick: () => void saved.setDefault(one),
      may: true,
    },
    {
      key: 'overwrite',
      label: t('filter.saved.overwrite'),
      onClick: () => void saved.overwrite(one),
      may: one.mine && saved.filters.length > 0,
    },
    { key: 'rename', label: t('filter.saved.rename'), onClick: rename, may: one.mine },
    {
      key: 'share',
      label: one.shared ? t('filter.saved.unshare') : t('filter.saved.share'),
      onClick: () => void saved.share(one),
      may: one.shared ? one.mine || saved.mayShare : one.mine && saved.mayShare,
    },
    {
      key: 'delete',
      label: t('filter.saved.delete'),
      danger: true,
      onClick: () => saved.remove(one),
      may: one.mine || saved.mayShare,
    },
  ]
  return all.filter(({ may }) => may).map(({ may: _, ...item }) => item)
}
