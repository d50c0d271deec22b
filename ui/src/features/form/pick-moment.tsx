import { Button, DatePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import { useId, useState } from 'react'
import { instantOf } from '@/lib/zoned'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import life from './life/life.module.css'

/** A moment by the installation's clock. */
export function PickMoment({ onPick }: { onPick: (at: string) => void }) {
  const t = useText()
  const { zone } = useTextContext()
  const [chosen, setChosen] = useState<Dayjs | null>(null)
  const id = useId()
  const at = chosen && instantOf(chosen.format('YYYY-MM-DDTHH:mm'), zone)
  return (
    <div className={life.moment}>
      <label htmlFor={id}>{t('life.at')}</label>
      <span>
        <DatePicker
          id={id}
          value={chosen}
          onChange={(next) => setChosen(next && !Array.isArray(next) ? next : null)}
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          needConfirm={false}
          style={{ flex: 1 }}
        />
        <Button disabled={!at} onClick={() => at && onPick(at)}>
          {t('common.open')}
        </Button>
      </span>
    </div>
  )
}
