import { useQuery } from '@tanstack/react-query'
import { Popover, Skeleton } from 'antd'
import { get } from '@/api/client'
import type { Entry } from '@/api/types'
import { Avatar } from '@/components/avatar'
import { Icon } from '@/components/icon'
import styles from './person.module.css'
import { useText } from './use-text'

/** A person or a department in a line; pointing at a person shows the card. */
export function EntryName({ entry, size = 20 }: { entry: Entry; size?: number }) {
  if (entry.type === 1) {
    return (
      <span className={styles.entry}>
        <Icon name="tree" size={14} />
        <span className={styles.name}>{entry.name}</span>
      </span>
    )
  }
  return (
    <Popover
      mouseEnterDelay={0.4}
      arrow={false}
      content={<PersonCard id={entry.id} name={entry.name} />}
      destroyOnHidden
    >
      <span className={styles.entry}>
        <Avatar name={entry.name} src={entry.imgUrl} size={size} />
        <span className={styles.name}>{entry.name}</span>
      </span>
    </Popover>
  )
}

function PersonCard({ id, name }: { id: string; name: string }) {
  const t = useText()
  const { data, isPending } = useQuery({
    queryKey: ['card', id],
    queryFn: ({ signal }) => get('/api/organization/user/card', { id }, { signal }),
    staleTime: 300_000,
    retry: false,
  })
  const rows: [string, string | null | undefined][] = data
    ? [
        [t('shell.fields.mobile'), data.mobile],
        [t('shell.fields.email'), data.email],
        [t('shell.fields.department'), data.mainDepartment ?? data.departments?.join(' / ')],
        [t('shell.fields.role'), data.role],
        [t('shell.fields.employeeNo'), data.employeeNo],
      ]
    : []
  return (
    <div className={styles.card}>
      <div className={styles.head}>
        <Avatar name={name} src={data?.imgUrl ?? null} size={40} />
        <div>
          <strong>{name}</strong>
          <p>{data?.position}</p>
        </div>
      </div>
      {isPending && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      <dl>
        {rows
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  )
}
