import { type CellProps, defineProperty, Icon } from '@sluice/sdk'
import { TextFilter } from '../shared/lazy-filters'
import styles from './attachment.module.css'

export interface Attachment {
  refId: string
  name: string
  mimeType: string | null
  size: number | null
  isImage: boolean
}

const names = (value: Attachment[], separator: string) => value.map((file) => file.name).join(separator)

function Cell({ value }: CellProps<Attachment[]>) {
  return (
    <span className={styles.files} title={names(value, '\n')}>
      <Icon name="clip" size={14} />
      <span className={styles.name}>{value[0]?.name}</span>
      {value.length > 1 && <span className={styles.count}>+{value.length - 1}</span>}
    </span>
  )
}

function size(bytes: number | null): string {
  if (bytes === null) return ''
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(2)} KB`
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(2)} MB` : `${(bytes / 1024 ** 3).toFixed(2)} GB`
}

const ReadValue = ({ value }: { value: Attachment[] }) => (
  <ul className={styles.list}>
    {value.map((file) => (
      <li key={file.refId} className={styles.files}>
        <Icon name="clip" size={14} />
        <span className={styles.name}>{file.name}</span>
        <span className={styles.count}>{size(file.size)}</span>
      </li>
    ))}
  </ul>
)

export const property = defineProperty<Attachment[]>({
  name: 'Attachment',
  wire: 6,
  wide: true,
  text: (value, _, { locale }) => names(value, locale === 'zh' ? '、' : ', '),
  Cell,
  ReadValue,
  Filter: TextFilter,
})
