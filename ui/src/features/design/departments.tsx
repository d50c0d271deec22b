import { Button } from 'antd'
import { useState } from 'react'
import { Icon } from '@/components/icon'
import { AskedChoice, namedChoice } from '@/sdk/asked-choice'
import { useText } from '@/sdk/use-text'
import { partiesQuery, useParties } from './api'
import { idsIn, withDepartment } from './department-ids'
import { usePlace } from './form'

interface Props {
  text: string
  onChange: (text: string) => void
}

/** Departments in an expression: the names of those that it has as ids, and a search that adds one. */
export function Departments({ text, onChange }: Props) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const ids = idsIn(text)
  return (
    <>
      {ids.length > 0 && <Names ids={ids} />}
      {open ? (
        <Search
          onPick={(id) => {
            setOpen(false)
            if (id) onChange(withDepartment(text, id))
          }}
        />
      ) : (
        <div>
          <Button size="small" type="text" icon={<Icon name="plus" size={14} />} onClick={() => setOpen(true)}>
            {t('design.addDepartment')}
          </Button>
        </div>
      )}
    </>
  )
}

function Names({ ids }: { ids: string[] }) {
  const t = useText()
  const { design } = usePlace()
  const known = useParties(design.appCode, 'department', ids)
  const names = ids.flatMap((id) => known.find((one) => one.id === id && one.name !== id)?.name ?? [])
  return names.length > 0 ? <small>{t('design.departmentsIn', { names: names.join(t('design.comma')) })}</small> : null
}

function Search({ onPick }: { onPick: (id: string | null) => void }) {
  const t = useText()
  const { design } = usePlace()
  return (
    <AskedChoice
      aria-label={t('design.addDepartment')}
      autoFocus
      defaultOpen
      placeholder={t('design.addDepartment')}
      value={[]}
      query={(keyword) => partiesQuery(design.appCode, 'department', keyword)}
      choices={(found) => found.map(namedChoice)}
      onChange={([next]) => onPick(next ?? null)}
      onBlur={() => onPick(null)}
    />
  )
}
