import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { get } from '@/api/client'
import { Avatar } from '@/components/avatar'
import styles from './person.module.css'
import { useText } from './use-text'

/** Who somebody is, as far as the reader may know it: what the server leaves out has no line. */
export function PersonCard({ id, name }: { id: string; name: string }) {
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
        [t('shell.fields.mainDepartment'), data.mainDepartment],
        [t('shell.fields.departments'), data.departments?.join(' / ')],
        [t('shell.fields.employeeNo'), data.employeeNo],
        [t('shell.fields.position'), data.position],
        [t('shell.fields.role'), data.role],
        [t('shell.fields.relatedType'), data.relatedType && t(`shell.relatedTypes.${data.relatedType}`)],
      ]
    : []
  return (
    <div className={styles.card} role="dialog" aria-label={name}>
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
