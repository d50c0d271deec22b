import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { get, post } from '@/api/client'
import type { Entry } from '@/api/types'
import { Choice } from '@/components/choice'
import type { ActionDialogProps } from '@/sdk/action'
import { EntryPicker } from '@/sdk/entry-picker'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import styles from '../bulk/bulk.module.css'
import { useBulkChange } from '../bulk/bulk-change'
import type { ListController } from '../use-list-controller'

const REMARK = 1000

/** Gives the ticked records, or all that match, to another person. */
export function OwnerDialog({ context, onClose }: ActionDialogProps<ListController>) {
  const t = useText()
  const say = useFeedback()
  const errorText = useErrorText()
  const id = useId()
  const { config, onFinish, selection, count } = useBulkChange(context)
  const [owner, setOwner] = useState<Entry | null>(null)
  const [dept, setDept] = useState<string | null>(null)
  const [remark, setRemark] = useState('')
  const [tried, setTried] = useState(false)
  const lacking = useQuery({
    queryKey: ['list', config.schemaCode, 'no-presentation', selection],
    queryFn: ({ signal }) => post('/api/runtime/query/no_presentation_count', selection, { signal }),
  })
  const departments = useQuery({
    queryKey: ['departments', owner?.id],
    enabled: owner !== null,
    queryFn: ({ signal }) => get('/api/organization/user/departments', { userId: owner?.id ?? '' }, { signal }),
  })
  const chosen = dept ?? departments.data?.find((one) => one.isMain)?.deptId ?? departments.data?.[0]?.deptId ?? null
  const saving = useMutation({
    mutationFn: () =>
      post('/api/runtime/query/modify_owner', {
        ...selection,
        ownerId: owner?.id ?? '',
        ...(chosen ? { ownerDeptId: chosen } : {}),
        remark,
      }),
    onSuccess: (outcome) => onFinish(outcome, t('bulk.ownerChanged', { count: outcome.successCount })),
    onError: say.error,
  })
  const missing = tried && !owner
  return (
    <Sheet
      title={t('bulk.changeOwner')}
      width={480}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <span />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            type="primary"
            disabled={lacking.error !== null}
            loading={saving.isPending}
            onClick={() => {
              setTried(true)
              if (owner) saving.mutate()
            }}
          >
            {t('bulk.update')}
          </Button>
        </div>
      }
    >
      <div className={styles.fields}>
        {lacking.error && (
          <p role="alert" className={styles.error}>
            {errorText(lacking.error)}
          </p>
        )}
        <p className={styles.note}>
          {t('list.selected', { count })} {(lacking.data ?? 0) > 0 && t('bulk.noOwnerRight', { count: lacking.data })}
        </p>
        <div className={styles.field}>
          <label htmlFor={`${id}-owner`}>{t('bulk.owner')}</label>
          <EntryPicker
            id={`${id}-owner`}
            schemaCode={config.schemaCode}
            propertyCode="owner"
            value={owner ? [owner] : []}
            onChange={(entries) => {
              setOwner(entries[0] ?? null)
              setDept(null)
            }}
            invalid={missing}
            describedBy={`${id}-note`}
            autoFocus
          />
          <p id={`${id}-note`} className={styles.error} role="alert">
            {missing && t('bulk.pleaseSelectOwner')}
          </p>
        </div>
        {(departments.data?.length ?? 0) > 0 && (
          <div className={styles.field}>
            <label htmlFor={`${id}-dept`}>{t('bulk.ownerDept')}</label>
            <Choice
              id={`${id}-dept`}
              value={chosen}
              onChange={setDept}
              options={departments.data?.map((one) => ({
                value: one.deptId,
                label: one.isMain ? t('bulk.mainDept', { name: one.deptName }) : one.deptName,
              }))}
            />
          </div>
        )}
        <div className={`${styles.field} ${styles.counted}`}>
          <label htmlFor={`${id}-remark`}>{t('bulk.remark')}</label>
          <Input.TextArea
            id={`${id}-remark`}
            value={remark}
            maxLength={REMARK}
            showCount
            autoSize={{ minRows: 3, maxRows: 8 }}
            onChange={(event) => setRemark(event.target.value)}
          />
        </div>
      </div>
    </Sheet>
  )
}
